import { expect, test } from 'vitest';
import { importerById } from '../src/index.ts';
import { readValue } from './invariants.ts';
import { sourceOfText } from './support.ts';

/** What a call's own record says of how long it took, and of what it was given, wherever it stands. */

const at = '2026-03-04T08:00:05.000Z';

async function toolOf(format: string, text: string) {
  const main = sourceOfText(text);
  const result = await importerById(format)?.read({ main, companions: [] });
  const step = (result?.runs ?? [])
    .flatMap(({ steps }) => [...steps])
    .find(({ kind }) => kind === 'tool');
  if (step === undefined) throw new Error('no call');
  return { step, given: step.arguments === null ? null : await readValue(step.arguments, [main]) };
}

function rollout(output: string, calledAt = at): string {
  const item = (timestamp: string, payload: object) =>
    JSON.stringify({ timestamp, type: 'response_item', payload });
  return [
    JSON.stringify({
      timestamp: '2026-03-04T08:00:00.000Z',
      type: 'session_meta',
      payload: { id: 'weigh', cwd: '/kegs' },
    }),
    item(calledAt, { type: 'function_call', name: 'shell', arguments: '{}', call_id: 'call_1' }),
    item(at, { type: 'function_call_output', call_id: 'call_1', output }),
  ].join('\n');
}

test.each([
  ['{"output":"9 kegs","metadata":{"exit_code":0,"duration_seconds":0.5}}', 500_000_000n],
  ['Wall time: 1.25 seconds\nProcess exited with code 0\nOutput:\n9 kegs', 1_250_000_000n],
  // What the command printed is no word of the client's.
  ['Output:\nWall time: 1.25 seconds', 0n],
  ['{"output":"\\"duration_seconds\\":3}}","metadata":{"exit_code":0}}', 0n],
  ['{"output":"9 kegs","metadata":{"exit_code":0,"duration_seconds":0.0}}', 0n],
])('a command of Codex that was stamped at its end: %s', async (output, durationNs) => {
  const { step } = await toolOf('codex-rollout', rollout(output));
  const { startedAtNs, endedAtNs } = step.time;
  expect((endedAtNs ?? 0n) - (startedAtNs ?? 0n)).toBe(durationNs);
  expect(step.time.evidence).toBe(durationNs === 0n ? 'logged' : 'derived');
});

test('a call that was stamped when it began keeps that time', async () => {
  const output = '{"output":"9 kegs","metadata":{"exit_code":0,"duration_seconds":0.5}}';
  const { step } = await toolOf('codex-rollout', rollout(output, '2026-03-04T08:00:02.000Z'));
  expect(step.time.startedAtText).toBe('2026-03-04T08:00:02.000Z');
});

test.each([
  ['as an object', { keg: 4 }],
  ['as JSON in a string', '{"keg":4}'],
  ['as JSON in a string in a string', JSON.stringify('{"keg":4}')],
])('what a tool was given, written %s', async (_how, input) => {
  const id = (number: number) => `o${number}`;
  const observation = {
    id: id(1),
    traceId: 't1',
    type: 'TOOL',
    name: 'weigh',
    startTime: at,
    endTime: at,
  };
  const { given } = await toolOf(
    'langfuse',
    JSON.stringify({
      trace: { id: 't1', projectId: 'p', name: 'kegs', timestamp: at },
      observations: [{ ...observation, input, output: '12 kg' }],
    }),
  );
  expect(JSON.parse(given ?? '')).toEqual({ keg: 4 });
});
