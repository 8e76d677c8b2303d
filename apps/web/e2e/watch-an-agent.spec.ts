import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const hex = (id: number) => id.toString(16).padStart(16, '0');

function bodyOf(id: number, parent: number | null, operation: string, name: string) {
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const span = {
    traceId: '5f'.repeat(16),
    spanId: hex(id),
    ...(parent === null ? {} : { parentSpanId: hex(parent) }),
    name: `${operation} ${name}`,
    startTimeUnixNano: `179550000000${id}000000`,
    endTimeUnixNano: `179550000000${id}900000`,
    attributes: [
      text('gen_ai.operation.name', operation),
      text('gen_ai.tool.name', name),
      text('gen_ai.agent.name', name),
      text('gen_ai.tool.call.arguments', '{"wheel":9007199254740993}'),
    ],
  };
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
}

/** The page's lines for the agent's environment, and what sends a body by them. */
async function environmentOf(page: Page) {
  const lines = await page.getByText(/^export OTEL_/).textContent();
  const value = (name: string) => new RegExp(`${name}=(\\S+)`).exec(lines ?? '')?.[1] ?? '';
  const token = value('OTEL_EXPORTER_OTLP_TRACES_HEADERS=x-misstep-token');
  const send = async (body: string): Promise<number> => {
    const { status } = await fetch(value('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-misstep-token': token },
      body,
    });
    return status;
  };
  return { token, send };
}

test('a person points an agent here and watches its run grow', async ({ app, page }) => {
  await app.start();
  await app.open(page);
  await page.getByRole('link', { name: 'Receive spans' }).first().click();
  await page.getByRole('button', { name: 'Make a token' }).click();
  const { token, send } = await environmentOf(page);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual(
    [],
  );

  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  expect(await send(bodyOf(3, 1, 'execute_tool', 'weigh_wheel'))).toBe(200);
  await page.getByRole('grid', { name: 'Runs' }).getByRole('row').nth(1).dblclick();
  const tree = page.getByRole('treegrid', { name: 'Call tree' });
  await expect(tree.getByRole('row', { name: /weigh_wheel/ })).toHaveAttribute('aria-level', '1');

  // The parent comes last, as it does from every exporter.
  expect(await send(bodyOf(1, null, 'invoke_agent', 'wheelwright'))).toBe(200);
  await expect(tree.getByRole('row', { name: /wheelwright/ })).toBeVisible();
  await expect(tree.getByRole('row', { name: /weigh_wheel/ })).toHaveAttribute('aria-level', '2');

  await page.goto(new URL('/receiver', app.origin).href);
  await expect(page.getByText('2 spans in 2 requests')).toBeVisible();
  await expect(page.getByText(token)).toHaveCount(0);
});

test('the lines of the receiver count what comes, without a reload, until no more is taken', async ({
  app,
  page,
}) => {
  await app.start();
  await app.open(page, '/receiver');
  const foot = page.getByRole('contentinfo');
  await expect(page.getByText('No spans are taken.')).toBeVisible();
  await expect(foot).toContainText('0 spans received since the start');
  await page.getByRole('button', { name: 'Make a token' }).click();
  const { send } = await environmentOf(page);
  await expect(page.getByText('0 spans in 0 requests')).toBeVisible();
  await expect(page.getByText('nothing yet')).toBeVisible();

  expect(await send(bodyOf(3, 1, 'execute_tool', 'weigh_wheel'))).toBe(200);
  await expect(page.getByText('1 span in 1 request')).toBeVisible();
  await expect(page.getByText('nothing yet')).toBeHidden();
  await expect(foot).toContainText('1 span received since the start');
  expect(await send(bodyOf(1, null, 'invoke_agent', 'wheelwright'))).toBe(200);
  await expect(page.getByText('2 spans in 2 requests')).toBeVisible();
  // One without a trace id belongs to no run; it is counted as that, and the rest is taken.
  const lost = bodyOf(4, 1, 'execute_tool', 'lose_wheel').replace('5f'.repeat(16), '');
  expect(await send(lost)).toBe(200);
  await expect(page.getByText(/, 1 without a trace id$/)).toBeVisible();

  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await expect(page.getByRole('grid', { name: 'Runs' }).getByRole('row')).toHaveCount(2);
  await page.goBack();
  await page.getByRole('button', { name: 'Take no more spans' }).click();
  await expect(page.getByText('No spans are taken.')).toBeVisible();
  expect(await send(bodyOf(5, 1, 'execute_tool', 'weigh_wheel'))).toBe(401);
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await expect(page.getByRole('grid', { name: 'Runs' }).getByRole('row')).toHaveCount(2);
});
