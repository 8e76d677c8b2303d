import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from './fixtures.ts';

const CALL = [
  '{"ts":"2026-01-05T10:00:00.000Z","dir":"send","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cancel_order","arguments":{"ref":"FS-20431"}}}}',
  '{"ts":"2026-01-05T10:00:00.250Z","dir":"recv","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"cancelled"}]}}}',
].join('\n');

test('the demo server asks before it cancels an order, and the person answers', async ({
  app,
  page,
}) => {
  const runId = await app.importText('cancelled.jsonl', `${CALL}\n`);
  await app.start('--demo');
  await app.open(page, `/runs/${runId}`);
  await page.getByRole('row', { name: /cancel_order/ }).click();
  await page.keyboard.press('r');
  const confirm = page.getByRole('textbox', { name: /Type the tool name/ });
  const send = page.getByRole('button', { name: /^Send once/ });
  const panel = page.getByRole('region', { name: 'The server asks' });

  await confirm.fill('cancel_order');
  await send.click();
  await expect(panel).toContainText('Cancel order FS-20431 of ');
  await expect(panel).toContainText('Without an answer in');
  const axe = await new AxeBuilder({ page }).include('[aria-label="The server asks"]').analyze();
  expect(
    axe.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical'),
  ).toEqual([]);
  await panel.getByRole('button', { name: 'Decline' }).click();
  await expect(panel).toBeHidden();
  await expect(page.getByText('Asked by the server')).toBeVisible();
  await expect(page.getByText('answered by a person')).toBeVisible();

  await confirm.fill('cancel_order');
  await send.click();
  await panel.getByRole('checkbox', { name: 'Cancel it for good' }).check();
  await panel.getByLabel('Tell the customer').selectOption('by telephone');
  await panel.getByLabel('Note for the books').fill('<b>twice</b>');
  await panel.getByRole('button', { name: 'Accept' }).click();
  await expect(panel).toBeHidden();
  await expect(
    page.getByText(
      '{"action":"accept","content":{"confirm":true,"tell":"by telephone","note":"<b>twice</b>"}}',
      { exact: true },
    ),
  ).toBeVisible();
});
