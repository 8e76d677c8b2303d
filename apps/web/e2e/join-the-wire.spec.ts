import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { lineServer } from '@misstep/testkit';
import { expect, test } from './fixtures.ts';

const RESULT =
  '{"content":[],"structuredContent":{"count":2,"door":"south","shelf":"B4","rows":[1,2,3]},"isError":false}';
const SERVER =
  lineServer(`    const answer = (result) => process.stdout.write('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"result":' + result + '}\\n');
    if (method === 'initialize') answer('{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"depot","version":"1.0"}}');
    else if (method === 'tools/list') answer('{"tools":[{"name":"find_parcel","inputSchema":{"type":"object"}}]}');
    else if (method === 'tools/call') answer('${RESULT}');`);
const line = (second: number, dir: string, msg: string) =>
  `{"ts":"2026-01-05T10:00:0${second}.000Z","dir":"${dir}","msg":${msg}}\n`;
const WIRE = [
  line(
    1,
    'send',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_parcel","arguments":{"code":7}}}',
  ),
  line(2, 'recv', `{"jsonrpc":"2.0","id":1,"result":${RESULT}}`),
].join('');
/** The shelf is lost without a word; the rows are cut, and the transcript says so. */
const TICKET = `User: where is my parcel?
→ depot/find_parcel {"code":7}
← {"count": 2, "door": "south", "rows": [ …3 items… ]}
Assistant: At the south door.
`;

test('a wire recording is joined to a transcript, and a replay shows three versions', async ({
  app,
  page,
}) => {
  const script = path.join(app.folder, 'server.mjs');
  await writeFile(script, SERVER);
  await app.importText('wire.jsonl', WIRE);
  const runId = await app.importText('ticket.txt', TICKET);
  await app.cli('target', 'add', 'depot', '--yes', '--', process.execPath, script);
  await app.start();
  await app.open(page, `/runs/${runId}`);

  await page.getByRole('button', { name: 'More for this run' }).click();
  await page.getByRole('menuitem', { name: 'Recorded wire…' }).click();
  const choice = page.getByRole('group', { name: 'Recorded wire' });
  await expect(choice).toContainText('1 of 1 call found on the wire');
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual(
    [],
  );
  await choice.getByRole('button', { name: 'Join' }).click();
  await expect(choice).toBeHidden();

  await page
    .getByRole('treegrid', { name: 'Call tree' })
    .getByRole('row', { name: /find_parcel/ })
    .click();
  // The frames of the joined wire stand in the panel of the call, with whose they are.
  await page.setViewportSize({ width: 1000, height: 900 });
  await page.emulateMedia({ colorScheme: 'dark' });
  const panel = page.getByRole('tabpanel', { name: /Frames/ });
  await page.getByRole('tab', { name: /Frames/ }).click();
  await expect(panel).toContainText('Frames of the joined wire');
  await expect(panel).toContainText('2 of 2 frames of step');
  await expect(panel).toContainText('That it is this call is derived: paired by arguments.');
  await expect(panel).toContainText('tools/call');
  await panel.getByRole('button', { name: /tools\/call/ }).click();
  await expect(panel.getByRole('button', { name: /tools\/call/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  const dark = await new AxeBuilder({ page }).analyze();
  expect(
    dark.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical'),
  ).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.keyboard.press('r');
  await page.getByRole('textbox', { name: /Type the tool name/ }).fill('find_parcel');
  await page.getByRole('button', { name: /^Send once/ }).click();
  const table = page.getByRole('table', { name: 'Comparison' });
  const heads = table.getByRole('columnheader');
  await expect(heads).toContainText([
    'pointer',
    'Transcript',
    'Wire, recorded',
    'Replayed',
    'Verdict',
  ]);
  await expect(heads.nth(2)).toContainText('paired by arguments');
  const verdictOf = (pointer: string) =>
    table
      .getByRole('row')
      .filter({ hasText: new RegExp(`/${pointer}`) })
      .first();
  await expect(verdictOf('shelf')).toContainText('missing in transcript');
  await expect(verdictOf('rows')).toContainText('elided in transcript');
  await expect(verdictOf('door')).toContainText('same');
});
