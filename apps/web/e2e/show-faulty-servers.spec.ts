import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { type App, expect, test } from './fixtures.ts';

const server = (name: string) =>
  fileURLToPath(new URL(`../../../packages/testkit/servers/${name}.mjs`, import.meta.url));
const KEY = 'shelf-key-0123456789';

interface Shown {
  readonly name: string;
  /** What the comparison's head says, in part. */
  readonly says: string;
  /** A remark that a frame gets. */
  readonly remark?: string;
  /** No answer ever comes: the person cancels once the remark is there. */
  readonly cancelled?: true;
}

const ON_STDIO: readonly Shown[] = [
  {
    name: 'structured-missing',
    says: 'A strict client would refuse this result: the tool declares an outputSchema, and there is no structuredContent.',
  },
  {
    name: 'structured-different',
    says: 'A strict client would refuse this result: /count must be integer',
  },
  {
    name: 'structured-beside-text',
    says: 'In the live answer the JSON text of /content/0/text and structuredContent disagree at /count.',
  },
  {
    name: 'datetime-repr',
    says: 'Its text holds datetime.datetime(2026, 11, 17, 9, 30), an object',
  },
  { name: 'nan-in-text', says: 'Its text holds NaN, which JSON does not have' },
  {
    name: 'answers-twice',
    says: 'echo answered with a result.',
    remark: 'A second answer to the request with id 2: the first one counts.',
  },
  {
    name: 'answers-notification',
    says: 'echo answered with a result.',
    remark: 'nothing may answer a notification such as notifications/initialized',
  },
  {
    name: 'nan-answer',
    says: 'Not JSON: Expected a value at line 1, column 55, but found "NaN". So a strict client drops it',
    remark: 'but found "NaN"',
    cancelled: true,
  },
  {
    name: 'pretty-printed',
    says: 'The server spread its answer over several lines, but a stdio message must be one line',
    remark: 'Text that is no JSON where only JSON-RPC may stand',
    cancelled: true,
  },
  {
    name: 'batch-answer',
    says: 'The server answered inside a batch, which clients of today drop',
    remark: 'A batch, which only revision 2025-03-26 of the protocol has',
    cancelled: true,
  },
  {
    name: 'string-id',
    says: 'The server answered with id "2", but the call\'s id is 2',
    remark: 'The id is written "2", the request\'s is 2',
    cancelled: true,
  },
  {
    name: 'null-id',
    says: "The server answered with the id null, but the call's id is 2",
    remark: 'The id is null, which MCP does not allow',
    cancelled: true,
  },
  {
    name: 'large-id',
    says: "The server answered id 9007199254740993, but the call's id is 2",
    remark: 'The id 9007199254740993 is larger than clients can hold exactly.',
    cancelled: true,
  },
  {
    name: 'progress-after-cancel',
    says: 'After the call was cancelled the server still told of progress, so it had not stopped.',
    remark: 'Progress after the call was cancelled',
    cancelled: true,
  },
  {
    name: 'expired-token',
    says: 'The server answered the call with error -32001: The key (secret SHELF_KEY) has expired',
  },
];

const ON_HTTP: readonly Shown[] = [
  {
    name: 'session-lost',
    says: 'The session is lost: the server no longer knows the session that it opened (HTTP 404 Not Found).',
    remark: 'It came with HTTP 404 Not Found: clients take no result from that.',
  },
  { name: 'resumed-stream', says: 'echo answered with a result.' },
  {
    name: 'unresumable-stream',
    says: 'the event stream after event e1 could not be resumed (HTTP 405 Method Not Allowed)',
  },
];

const LARGE = ['answer-10-mb', 'answer-100-mb'];
const LISTED = [
  'required-unlisted',
  'root-any-of',
  'description-changed',
  'destructive-unannotated',
];

const TOOL = {
  name: 'echo',
  description: 'Gives back what it was given.',
  inputSchema: { type: 'object', properties: { shelf: { type: 'string' } } },
  annotations: { readOnlyHint: true },
};

function recording(): string {
  const line = (dir: string, second: number, message: object) =>
    `${JSON.stringify({ ts: `2026-01-05T10:00:0${second}.000Z`, dir, msg: { jsonrpc: '2.0', ...message } })}\n`;
  const result = { content: [{ type: 'text', text: '{"shelf":"A-7"}' }] };
  return [
    line('send', 0, { id: 1, method: 'tools/list' }),
    line('recv', 1, { id: 1, result: { tools: [TOOL] } }),
    line('send', 2, {
      id: 2,
      method: 'tools/call',
      params: { name: 'echo', arguments: { shelf: 'A-7' } },
    }),
    line('recv', 3, { id: 2, result }),
  ].join('');
}

async function startHttp(behaviour: string): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [server('hostile-http'), '--behaviour', behaviour], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  for await (const url of createInterface({ input: child.stdout })) return { url, child };
  throw new Error(`the server for ${behaviour} ended`);
}

/** The replay screen of a recorded call, with the servers of these names to choose from. */
async function openCall(app: App, page: Page, servers: Readonly<Record<string, object>>) {
  const runId = await app.importText('echo.jsonl', recording());
  const config = path.join(app.folder, 'mcp.json');
  await writeFile(config, JSON.stringify({ mcpServers: servers }));
  await app.cli('target', 'import', config, '--all');
  await app.start();
  await app.open(page, `/runs/${runId}`);
  await page.getByRole('row', { name: /echo/ }).last().click();
  await page.keyboard.press('r');
  await page.getByRole('button', { name: /^Send once/ }).waitFor();
}

function onStdio(name: string): object {
  const env = { SHELF_KEY: KEY, SHELF_KEY_EXPIRED: 'yes' };
  const args = [server('hostile-stdio'), '--behaviour', name];
  return { command: process.execPath, args, ...(name === 'expired-token' ? { env } : {}) };
}

/** Chooses the server, confirms it as a person who sees it for the first time, and sends. */
async function sendTo(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Server' }).selectOption(name);
  await page.getByRole('button', { name: /^Confirm this (command|address)$/ }).click();
  await page.getByRole('textbox', { name: /Type the tool name/ }).fill('echo');
  await page.getByRole('button', { name: /^Send once/ }).click();
}

async function seriousFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

test('what servers do wrong is said over the comparison and at the frame', async ({
  app,
  page,
}) => {
  const http = await Promise.all(ON_HTTP.map(({ name }) => startHttp(name)));
  const servers: [string, object][] = [
    ...ON_STDIO.map(({ name }): [string, object] => [name, onStdio(name)]),
    ...ON_HTTP.map(({ name }, at): [string, object] => [name, { url: http[at]?.url }]),
  ];
  try {
    await openCall(app, page, Object.fromEntries(servers));
    const comparison = page.getByRole('region', { name: 'Comparison' });
    const frames = page.getByRole('region', { name: 'List of frames' });
    for (const shown of [...ON_STDIO, ...ON_HTTP]) {
      await test.step(shown.name, async () => {
        await sendTo(page, shown.name);
        if (shown.cancelled === true) {
          // The fault is seen while the call still waits; progress comes only after the cancelling.
          const early = shown.name !== 'progress-after-cancel';
          await expect(comparison.getByText('waiting for the answer')).toBeVisible();
          if (early) await expect(frames.getByText(shown.remark ?? '').last()).toBeVisible();
          await page.getByRole('button', { name: /^Cancel/ }).click();
          await expect(comparison.getByText('You cancelled it while')).toBeVisible();
        }
        await expect(comparison.getByText(shown.says).first()).toBeVisible();
        if (shown.remark !== undefined) {
          await expect(frames.getByText(shown.remark).last()).toBeVisible();
        }
        await page.getByRole('button', { name: /^Send once/ }).waitFor();
      });
    }
    await expect(comparison).not.toContainText(KEY);
    expect(await seriousFindings(page)).toEqual([]);
  } finally {
    for (const { child } of http) child.stdin?.end();
  }
});

test('faults of a list of tools, of a description and of missing annotations', async ({
  app,
  page,
}) => {
  await openCall(app, page, Object.fromEntries(LISTED.map((name) => [name, onStdio(name)])));
  const draft = page.getByRole('region', { name: 'Draft' });
  const answered = page
    .getByRole('region', { name: 'Comparison' })
    .getByText('echo answered with a result.');
  await sendTo(page, 'required-unlisted');
  await expect(answered).toBeVisible();
  await expect(draft).toContainText('because of echo: required names floor');
  await expect(draft).toContainText('The whole lacks floor, which is required.');
  await sendTo(page, 'root-any-of');
  await expect(draft).toContainText('inputSchema has anyOf at its root');
  await sendTo(page, 'description-changed');
  await expect(draft).toContainText(
    "Direct calls can't show whether models now behave; run the agent again.",
  );
  await draft.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(draft.getByText('Only changes what a model reads')).toBeVisible();
  await sendTo(page, 'destructive-unannotated');
  await expect(draft).toContainText('No readOnlyHint, so treated as a write.');
  expect(await seriousFindings(page)).toEqual([]);
});

test('a result of 10 MB is shown in part, one of 100 MB refused, and the page stays quick', async ({
  app,
  page,
}) => {
  await openCall(app, page, Object.fromEntries(LARGE.map((name) => [name, onStdio(name)])));
  const comparison = page.getByRole('region', { name: 'Comparison' });
  const frames = page.getByRole('region', { name: 'Frames' });
  await page.evaluate(() => {
    let last = performance.now();
    const held = Object.assign(window, { longestGapMs: 0 });
    setInterval(() => {
      const now = performance.now();
      held.longestGapMs = Math.max(held.longestGapMs, now - last);
      last = now;
    }, 50);
  });
  await sendTo(page, 'answer-10-mb');
  await expect(comparison.getByText('10.0 MB, ~2,500,014 tokens')).toBeVisible();
  await expect(frames.getByText('10.0 MB').last()).toBeVisible();
  await sendTo(page, 'answer-100-mb');
  await expect(
    comparison.getByText(/^The server sent more than Misstep takes: .* larger than 67108864 bytes/),
  ).toBeVisible({ timeout: 90_000 });
  await expect(comparison.getByText('There is no answer to compare')).toBeVisible();
  await expect(frames.getByText('67.1 MB').last()).toBeVisible();
  const gapMs = await page.evaluate(() => Reflect.get(window, 'longestGapMs'));
  // A page that holds the text in its rows stands still for many seconds.
  expect(gapMs).toBeLessThan(3000);
  expect(await page.locator('*').count()).toBeLessThan(3000);
  const status = `/proc/${app.pid}/status`;
  if (!existsSync(status)) return;
  const peak = /VmHWM:\s+(\d+) kB/.exec(await readFile(status, 'utf8'))?.[1];
  expect(Number(peak)).toBeLessThan(900_000);
});
