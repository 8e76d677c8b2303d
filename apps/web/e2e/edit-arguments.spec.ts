import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { type App, expect, test } from './fixtures.ts';

const properties = (since: string, limit: number) => ({
  customer: { type: 'string', description: 'Customer id, e.g. C-1180' },
  since: { type: 'string', description: since },
  limit: { type: 'integer', maximum: limit },
  status: { enum: ['open', 'paid'] },
});
const invoices = (since: string, limit: number) => ({
  name: 'search_invoices',
  description: 'Finds invoices.',
  inputSchema: { type: 'object', properties: properties(since, limit), required: ['customer'] },
});
const live = [
  invoices('due on or after this day', 200),
  { name: 'get_page', inputSchema: { type: 'object', properties: {}, required: ['page'] } },
];
const SERVER = `
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const answer = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
  if (method === 'initialize') answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'invoices', version: '1.9.0' } });
  if (method === 'tools/list') answer({ tools: ${JSON.stringify(live)} });
  if (method === 'tools/call') answer({ content: [{ type: 'text', text: JSON.stringify({ total: params.arguments.since === '2025-11-01' ? 3 : 0 }) }] });
}
`;
const RECORDED = { customer: 'Northwind', since: 'last month', limit: 50 };

function recording(): string {
  const line = (dir: string, second: number, message: object) =>
    `${JSON.stringify({ ts: new Date(Date.UTC(2026, 0, 5, 10, 0, second)).toISOString(), dir, msg: { jsonrpc: '2.0', ...message } })}\n`;
  return [
    line('send', 0, { id: 1, method: 'tools/list' }),
    line('recv', 0, { id: 1, result: { tools: [invoices('issued on or after this day', 500)] } }),
    line('send', 9, {
      id: 2,
      method: 'tools/call',
      params: { name: 'search_invoices', arguments: RECORDED },
    }),
    line('recv', 10, { id: 2, result: { content: [{ type: 'text', text: '{"total":0}' }] } }),
  ].join('');
}

/** The draft of the recorded call, with the server as its target. */
async function openDraft(app: App, page: Page) {
  const script = path.join(app.folder, 'server.mjs');
  await writeFile(script, SERVER);
  const runId = await app.importText('invoices.jsonl', recording());
  await app.cli('target', 'add', 'invoices', '--yes', '--', process.execPath, script);
  await app.start();
  await app.open(page, `/runs/${runId}`);
  await page
    .getByRole('treegrid', { name: 'Call tree' })
    .getByRole('row', { name: /search_invoices/ })
    .click();
  await page.keyboard.press('r');
  return page.getByRole('textbox', { name: 'Arguments' });
}

async function findings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160))}`);
}

test('arguments are edited with the schema at hand, put back, and split', async ({ app, page }) => {
  const editor = await openDraft(app, page);
  const draft = page.getByRole('region', { name: 'Draft' });

  // Nothing is known of the server until the person asks.
  await expect(draft.getByText('only the recorded one')).toBeVisible();
  await draft.getByRole('button', { name: 'Read the tool’s definition' }).click();
  await expect(draft.getByText('as listed')).toBeVisible();
  await expect(draft.getByText('Tools list differs from the recording.')).toBeVisible();
  await expect(draft.getByText('1 of 1 tool changed, this one too; 1 added.')).toBeVisible();
  await draft.getByRole('button', { name: 'Compare' }).click();
  const drift = draft.getByRole('region', { name: 'Definition, recorded and live' });
  await expect(drift.getByRole('heading', { name: /Changes what validation takes/ })).toBeVisible();
  await expect(drift.getByRole('heading', { name: /Only changes what a model/ })).toBeVisible();
  await expect(drift.getByText(/run the agent again/)).toBeVisible();
  expect(await findings(page), 'drift').toEqual([]);
  await draft.getByRole('button', { name: 'Close' }).click();
  await expect(draft.getByText(/would drop all 2 tools because of/)).toBeVisible();

  // An error stands at its place, and does not hinder the send.
  await editor.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText('{"customer": "Northwind", "since": "2025-11-01", "limit": 500}');
  await expect(draft.getByRole('button', { name: /must be at most 200/ })).toBeVisible();
  await expect(page.locator('.misstep-faulty')).toHaveText('500');
  await expect(
    draft.getByText(/A strict client would refuse these arguments/).first(),
  ).toBeVisible();
  await expect(
    draft.getByText('A difference in the result will have 2 possible causes.'),
  ).toBeVisible();

  // Completion, by keyboard alone.
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.insertText(', ');
  await page.keyboard.press('Control+Space');
  const offers = page.getByRole('listbox', { name: 'Completions' });
  await expect(offers.getByRole('option')).toHaveText([/"status"/]);
  expect(await findings(page), 'completion').toEqual([]);
  await expect(async () => {
    await page.keyboard.press('Tab');
    await expect(offers).toBeHidden({ timeout: 500 });
  }).toPass();
  await expect(editor).toContainText('"limit": 500, "status": }');
  await page.keyboard.press('Control+Space');
  await expect(offers.getByRole('option')).toHaveText([/"open"/, /"paid"/]);
  await page.keyboard.press('Escape');
  await expect(offers).toBeHidden();
  await expect(editor).toBeFocused();

  // A syntax error has its place too.
  await expect(draft.getByText(/^Expected .* at line 1/)).toBeVisible();
  await expect(page.locator('.misstep-faulty')).toHaveText('}');
  await page.keyboard.insertText('"paid"');
  const edited = draft.getByRole('region', { name: 'What is edited' });
  await expect(edited.getByRole('listitem')).toHaveCount(3);
  await edited.getByRole('button', { name: 'Put back /status' }).click();
  await expect(editor).toBeFocused();
  await expect(editor).toHaveText('{"customer": "Northwind", "since": "2025-11-01", "limit": 500}');

  // The plan is confirmed as a whole and sent one by one.
  await draft.getByRole('button', { name: 'Split into 2 single-change replays' }).click();
  const split = draft.getByRole('region', { name: 'Split' });
  await expect(split.getByText('"since":"2025-11-01","limit":50}')).toBeVisible();
  await expect(split.getByText('"since":"last month","limit":500}')).toBeVisible();
  const send = draft.getByRole('button', { name: 'Send all 2' });
  await expect(send).toHaveAttribute('aria-disabled', 'true');
  await draft.getByRole('textbox', { name: /allow all 2 sends/ }).fill('search_invoices');
  expect(await findings(page), 'plan').toEqual([]);
  await send.click();
  await expect(split.getByText('2 of 2 answered or ended').first()).toBeVisible();
  const calls = split.getByRole('listitem');
  await expect(calls.nth(0)).toContainText('differs now');
  await expect(calls.nth(1)).toContainText('same');
  expect(await findings(page), 'results').toEqual([]);
  await calls
    .nth(0)
    .getByRole('button', { name: /^Open the replay of/ })
    .click();
  await expect(page.getByRole('table', { name: 'Comparison' })).toBeVisible();

  for (const { pointer } of [{ pointer: '/since' }, { pointer: '/limit' }]) {
    await edited.getByRole('button', { name: `Put back ${pointer}` }).click();
  }
  await expect(draft.getByText('Same values; white space')).toBeVisible();
  await draft.getByRole('button', { name: 'Put back' }).click();
  await expect(editor).toHaveText(JSON.stringify(RECORDED));
  await expect(draft.getByText(/(value|values|space) edited$/)).toHaveCount(0);
});
