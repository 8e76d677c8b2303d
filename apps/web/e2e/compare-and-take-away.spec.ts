import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { lineServer } from '@misstep/testkit';
import type { Page } from '@playwright/test';
import { type App, expect, test } from './fixtures.ts';

const SERVER = lineServer(
  `    const answer = (result) => process.stdout.write('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"result":' + result + '}\\n');
    if (method === 'initialize') answer('{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"depot","version":"2.0"}}');
    else if (method === 'tools/list') answer('{"tools":[{"name":"find_parcel","inputSchema":{"type":"object"}}]}');
    else if (method === 'tools/call') {
      appendFileSync(log, 'called\\n');
      process.stderr.write('looking\\n');
      setTimeout(() => answer('{"content":[],"structuredContent":{"count":2,"cursor":9007199254740993,"door":"north","updated_at":"2026-02-03T10:00:00Z"},"isError":false}'), params.arguments.waitMs ?? 0);
    }`,
  `import { appendFileSync } from 'node:fs';
const log = process.argv[2];`,
);

const wireLine = (second: number, dir: string, msg: string) =>
  `{"ts":"2026-01-05T10:00:0${second}.000Z","dir":"${dir}","msg":${msg}}\n`;

function recording(waitMs: number): string {
  return [
    wireLine(
      0,
      'send',
      '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"desk","version":"1"}}}',
    ),
    wireLine(
      1,
      'recv',
      '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"depot","version":"1.0"}}}',
    ),
    wireLine(
      2,
      'send',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_parcel","arguments":{"waitMs":${waitMs}},"_meta":{"progressToken":"p-1"}}}`,
    ),
    wireLine(
      3,
      'recv',
      '{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"count":2,"cursor":9007199254740991,"door":"south","updated_at":"2026-01-05T10:00:00Z"},"isError":false}}',
    ),
  ].join('');
}

/** The screen of one recorded call, with a server that counts the calls that reach it. */
async function openCall(app: App, page: Page, waitMs: number, ...words: string[]) {
  const script = path.join(app.folder, 'server.mjs');
  const log = path.join(app.folder, 'calls.log');
  await writeFile(script, SERVER);
  const runId = await app.importText('wire.jsonl', recording(waitMs));
  await app.cli('target', 'add', 'depot', '--yes', '--', process.execPath, script, log, ...words);
  await app.start();
  await app.open(page, `/runs/${runId}?step=2`);
  await page
    .getByRole('treegrid', { name: 'Call tree' })
    .getByRole('row', { name: /find_parcel/ })
    .click();
  await page.keyboard.press('r');
  await page.getByRole('textbox', { name: /Type the tool name/ }).fill('find_parcel');
  const calls = async () =>
    (await readFile(log, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '').length;
  return { calls, send: page.getByRole('button', { name: /^Send once/ }) };
}

test('two answers are compared, one path is ignored, a value is lit, the receipt holds, the call leaves', async ({
  app,
  page,
}) => {
  const { send } = await openCall(app, page, 0, '--token', 'tok-83bd61f0aa');
  await send.click();
  const table = page.getByRole('table', { name: 'Comparison' });
  await expect(table.getByRole('columnheader', { name: /Transcript/ })).toContainText(
    'none in this run',
  );
  await expect(table.getByRole('row', { name: /\/…\/door/ })).toContainText('server differs now');
  const fair = page.getByRole('region', { name: /a fair repeat/ });
  await expect(fair).toContainText('no, 1.0 then, 2.0 now');
  await expect(fair).toContainText('A difference may come from what differs here (server version)');
  await expect(page.getByRole('region', { name: 'Not sent again' })).toContainText(
    '_meta.progressToken',
  );

  // The selected value is lit where it stands in the frame, in text and in hex.
  await table.getByRole('row', { name: /\/…\/cursor/ }).click();
  const frames = page.getByRole('region', { name: 'Frames', exact: true });
  await expect(frames.locator('mark')).toHaveText('9007199254740993');
  await expect(page.getByRole('region', { name: 'Selected value' })).toContainText(
    /bytes \d+ to \d+/,
  );
  await frames.getByRole('button', { name: 'Hex' }).click();
  await expect(frames.locator('[data-lit]').first()).toContainText('39');

  // I ignores the selected path, visibly and counted; the chip takes it back.
  await page.keyboard.press('i');
  const ignored = page.getByRole('group', { name: 'Ignored paths' });
  await expect(ignored).toContainText('1 row ignored');
  await expect(table.getByRole('row', { name: /\/…\/cursor/ })).toContainText('ignored');
  await page.reload();
  await expect(ignored).toContainText('/structuredContent/cursor');
  await ignored.getByRole('button', { name: /^Stop ignoring/ }).click();
  await expect(ignored).not.toContainText('row ignored');
  // A suggestion is applied by a person alone.
  await ignored.getByRole('button', { name: '1 suggestion' }).click();
  await page.getByRole('menuitem', { name: /^timestamps: 1 row/ }).click();
  await expect(ignored).toContainText('1 row ignored');
  await ignored.getByRole('button', { name: 'Path' }).click();
  await page.getByRole('textbox', { name: 'Path to ignore' }).fill('/structuredContent/d*');
  await page.keyboard.press('Enter');
  await expect(ignored).toContainText('2 rows ignored');

  await page.getByRole('button', { name: 'Text diff' }).click();
  await expect(page.getByRole('region', { name: 'Text difference' })).toContainText('"north"');

  await page.getByRole('button', { name: 'Receipt', exact: true }).click();
  await page.getByRole('button', { name: 'Verify' }).click();
  const receipt = page.getByRole('region', { name: 'Receipt' });
  await expect(receipt).toContainText('The receipt holds');
  await expect(receipt).toContainText('PUT_TOKEN_HERE');
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual(
    [],
  );

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export pair' }).click();
  const file = path.join(app.folder, 'pair.frames');
  await (await download).saveAs(file);
  expect(await readFile(file, 'latin1')).not.toContain('tok-83bd61f0aa');
  const verified: unknown = JSON.parse(await app.cli('receipt', 'verify', file, '--json'));
  expect(verified).toMatchObject({ verified: true });

  await page.getByRole('button', { name: 'Copy as' }).click();
  await page.getByRole('menuitem', { name: 'Shell line' }).click();
  const taken = page.getByRole('region', { name: 'Call as Shell line' });
  await expect(taken).toContainText('PUT_TOKEN_HERE');
  await expect(taken).not.toContainText('tok-83bd61f0aa');
});

test('a value of the comparison is cited in the mark, which a person still has to set', async ({
  app,
  page,
}) => {
  const { send } = await openCall(app, page, 0);
  await send.click();
  const table = page.getByRole('table', { name: 'Comparison' });
  await table.getByRole('row', { name: /\/…\/door/ }).click();
  await page.getByRole('link', { name: 'Cite in the mark' }).click();
  const form = page.getByRole('form', { name: 'Mark' });
  await expect(form).toContainText('result /structuredContent/door');
  await expect(page).not.toHaveURL(/cite=/);
  await form.getByRole('button', { name: /^Mark step 2/ }).click();
  await expect(form).toBeHidden();
  await page.reload();
  await expect(page.getByText('/structuredContent/door', { exact: true }).first()).toBeVisible();
});

test('two presses, a reload while it waits and a second page send nothing again', async ({
  app,
  page,
  context,
}) => {
  const { calls, send } = await openCall(app, page, 3000);
  await send.dblclick();
  await expect.poll(calls).toBe(1);
  await page.reload();
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(page.getByRole('table', { name: 'Comparison' })).toBeVisible({ timeout: 20_000 });
  await expect(other.getByRole('table', { name: 'Comparison' })).toBeVisible();
  await page.goBack();
  await page.goForward();
  expect(await calls()).toBe(1);
  await expect(page.getByRole('group', { name: 'Replays of this call' })).not.toContainText('r2r3');
});
