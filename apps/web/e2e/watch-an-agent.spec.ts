import { AxeBuilder } from '@axe-core/playwright';
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

test('a person points an agent here and watches its run grow', async ({ app, page }) => {
  await app.start();
  await app.open(page);
  await page.getByRole('link', { name: 'Receive spans' }).first().click();
  await page.getByRole('button', { name: 'Make a token' }).click();
  const lines = await page.getByText(/^export OTEL_/).textContent();
  const value = (name: string) => new RegExp(`${name}=(\\S+)`).exec(lines ?? '')?.[1] ?? '';
  const token = value('OTEL_EXPORTER_OTLP_TRACES_HEADERS=x-misstep-token');
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual(
    [],
  );

  const send = async (body: string) => {
    const answer = await fetch(value('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-misstep-token': token },
      body,
    });
    expect(answer.status).toBe(200);
  };
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await send(bodyOf(3, 1, 'execute_tool', 'weigh_wheel'));
  await page.getByRole('grid', { name: 'Runs' }).getByRole('row').nth(1).dblclick();
  const tree = page.getByRole('treegrid', { name: 'Call tree' });
  await expect(tree.getByRole('row', { name: /weigh_wheel/ })).toHaveAttribute('aria-level', '1');

  // The parent comes last, as it does from every exporter.
  await send(bodyOf(1, null, 'invoke_agent', 'wheelwright'));
  await expect(tree.getByRole('row', { name: /wheelwright/ })).toBeVisible();
  await expect(tree.getByRole('row', { name: /weigh_wheel/ })).toHaveAttribute('aria-level', '2');

  await page.goto(new URL('/receiver', app.origin).href);
  await expect(page.getByText('2 spans in 2 requests')).toBeVisible();
  await expect(page.getByText(token)).toHaveCount(0);
});
