import { join } from 'node:path';
import { parseJson, printJson } from '@misstep/json';
import type { Step } from '@misstep/model';
import { expect, test } from 'vitest';
import { chooseFormat, makeSourceHead } from '../src/index.ts';
import { readValue } from './invariants.ts';
import { PACKAGE_FOLDER, sourceOfFile, stepsOf } from './support.ts';

const SAMPLES = join(PACKAGE_FOLDER, '../demo/samples');
const FILES = ['hollow-farm-ticket.txt', 'hollow-farm-session.jsonl', 'hollow-farm-wire.frames'];

/** Calls as tool and arguments without white space: renderers differ in that alone. */
async function callsOf(
  file: string,
): Promise<{ format: string | null; calls: string[]; steps: Step[] }> {
  const main = sourceOfFile(join(SAMPLES, file));
  const { importer } = chooseFormat(await makeSourceHead(main));
  if (importer === null) return { format: null, calls: [], steps: [] };
  const steps = stepsOf(await importer.read({ main, companions: [] })).filter(
    ({ kind }) => kind === 'tool',
  );
  const calls: string[] = [];
  for (const step of steps) {
    const text = step.arguments === null ? '' : ((await readValue(step.arguments, [main])) ?? '');
    const parsed = parseJson(text);
    calls.push(`${step.tool} ${parsed.ok ? printJson(parsed.value, { indent: 0 }) : text}`);
  }
  return { format: importer.id, calls, steps };
}

test('one run gives the same calls as a ticket, a session file and a frame log', async () => {
  const [ticket, session, wire] = await Promise.all(FILES.map(callsOf));
  expect(ticket?.format).toBe('plain-text');
  expect(session?.format).toBe('claude-code-jsonl');
  expect(wire?.format).toBe('frame-log');
  expect(wire?.calls).toHaveLength(6);
  expect(session?.calls).toEqual(wire?.calls);
  expect(ticket?.calls).toEqual(wire?.calls);
  for (const read of [ticket, session, wire]) {
    expect(read?.steps.map(({ status }) => status)).toEqual(
      wire?.steps.map(({ status }) => status),
    );
  }
});

test('a cut result says what is missing, where, and how much', async () => {
  const main = sourceOfFile(join(PACKAGE_FOLDER, 'fixtures/plain-text/stamped-two-calls.txt'));
  const { importer } = chooseFormat(await makeSourceHead(main));
  const result = await importer?.read({ main, companions: [] });
  const calls = result === undefined ? [] : stepsOf(result).filter(({ kind }) => kind === 'tool');
  expect(calls.map(({ result: value }) => value?.state)).toEqual(['captured', 'elided']);
  const cut = calls[1]?.result?.elisions.map(({ pointer, kind, count }) => [pointer, kind, count]);
  expect(cut).toEqual([['/deliveries', 'items', 20]]);
  const durations = calls.map(({ time }) => (time.endedAtNs ?? 0n) - (time.startedAtNs ?? 0n));
  expect(durations).toEqual([1_250_000_000n, 2_500_000_000n]);
  expect(calls.every(({ evidence, pairing }) => evidence === 'rendered' && pairing?.derived)).toBe(
    true,
  );
});
