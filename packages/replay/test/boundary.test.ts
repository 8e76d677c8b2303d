import { ok } from '@misstep/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundaryExperiment, readSignature, runExperiment, type SendOnce } from '../src/index.ts';

const signal = new AbortController().signal;

/** A server in a function of its one argument `x`; gives the number of rows that it has for it. */
function serve(rows: (x: never, call: number) => number) {
  const sent: string[] = [];
  const sendOnce: SendOnce = async ({ argumentsText }) => {
    sent.push(argumentsText);
    const count = rows(JSON.parse(argumentsText).x as never, sent.length);
    const resultText = JSON.stringify({ structuredContent: { rows: Array(count).fill(0) } });
    return ok({ replayId: null, outcome: 'result', resultText, callDurationNs: 5 });
  };
  return { sent, sendOnce };
}

function boundary(a: string, b: string, elsewhere = 4) {
  const signature = readSignature('count:/structuredContent/rows');
  if (!signature.ok) throw new Error(signature.error);
  return BoundaryExperiment.create({
    textA: `{"x": ${a}, "other": 1.0}`,
    textB: `{"x": ${b}, "other": 2}`,
    argument: 'x',
    signature: signature.value,
    ignoredPointers: [],
    elsewhere,
  });
}

async function find(a: string, b: string, rows: (x: never, call: number) => number) {
  const made = boundary(a, b);
  if (!made.ok) throw new Error(made.error);
  const { sent, sendOnce } = serve(rows);
  const end = await runExperiment(made.value, sendOnce, { signal });
  return { sent, end, plan: made.value.plan, matrix: made.value.matrix() };
}

describe('boundary', () => {
  it('comes to the two days between which the outcome changes', async () => {
    const found = await find('"2026-11-01"', '"2025-11-01"', (x: string) =>
      x <= '2026-03-14' ? 20 : 0,
    );
    expect(found.end.ending).toBe('complete');
    expect(found.matrix.changes).toEqual([
      { from: '"2026-03-15"', to: '"2026-03-14"', areNeighbours: true },
    ]);
    expect(found.matrix.sentence).toContain(
      'The outcome of x changes between "2026-03-15" and "2026-03-14".',
    );
    expect(found.matrix.sentence).toMatch(/\d+ of 366 values were tried, 1 day apart/);
    expect(found.plan.callCount).toBe(4 + 9 + 2 + 4);
    expect(found.end.sentCount).toBeLessThanOrEqual(found.plan.callCount);
    // The others stay as A has them, byte for byte.
    expect(found.sent.every((text) => text.endsWith(', "other": 1.0}'))).toBe(true);
    expect(found.matrix.notShown.join(' ')).toContain(
      'The other argument as B has it. It was held as A has it.',
    );
    expect(found.matrix.rows.map(({ share }) => share)).toEqual(
      found.matrix.rows.map(({ share }) => share).toSorted((left, right) => left - right),
    );
  });

  it('walks numbers without loss, decimals, times, lengths and lists', async () => {
    const big = await find('9007199254740993', '9007199254741993', () => 0);
    expect(big.matrix.refusal).toContain('both come to 0 items');
    expect(big.sent[1]).toBe('{"x": 9007199254741993, "other": 1.0}');
    const decimal = await find('0.5', '-1.25', (x: number) => (x < -0.33 ? 1 : 0));
    expect(decimal.matrix.changes[0]).toMatchObject({ from: '-0.33', to: '-0.34' });
    const time = await find(
      '"2026-01-01T00:00:00+02:00"',
      '"2026-01-01T01:00:00+02:00"',
      (x: string) => (x >= '2026-01-01T00:41:07' ? 3 : 2),
    );
    expect(time.matrix.changes[0]).toMatchObject({
      from: '"2026-01-01T00:41:06+02:00"',
      to: '"2026-01-01T00:41:07+02:00"',
    });
    const text = await find('""', '"a😀bcdef"', (x: string) => ([...x].length > 2 ? 1 : 0));
    expect(text.matrix.changes[0]).toMatchObject({ from: '2 characters', to: '3 characters' });
    const list = await find('[ 1.0, "x", {}]', '[1.0]', (x: unknown[]) => x.length);
    expect(list.matrix.refusal).toBeNull();
    expect(list.sent).toContain('{"x": [ 1.0, "x"], "other": 1.0}');
  });

  it('does not take for granted that the outcome changes only once', async () => {
    const { matrix } = await find('0', '1000', (x: number) =>
      x > 300 && !(x > 600 && x < 950) ? 1 : 0,
    );
    expect(matrix.changes.length).toBeGreaterThan(1);
    expect(matrix.sentence).toContain('It is not the only change');
    for (const change of matrix.changes.slice(0, 1)) expect(change.areNeighbours).toBe(true);
  });

  it('says that many outcomes came where every value has its own', async () => {
    const { matrix } = await find('0', '64', (x: number) => x);
    expect(matrix.changes[0]).toMatchObject({ from: '0', to: '1' });
    expect(matrix.sentence).toMatch(/\d+ different outcomes came, not two/);
  });

  it('names a whole result by a few digits of its hash where the ends are alike', async () => {
    const signature = readSignature('hash');
    if (!signature.ok) throw new Error(signature.error);
    const made = BoundaryExperiment.create({
      textA: '{"x": 1}',
      textB: '{"x": 9}',
      argument: 'x',
      signature: signature.value,
      ignoredPointers: [],
      elsewhere: 0,
    });
    if (!made.ok) throw new Error(made.error);
    await runExperiment(made.value, serve(() => 3).sendOnce, { signal });
    const { sentence, refusal } = made.value.matrix();
    expect(refusal).toMatch(/both come to result [0-9a-f]{4} [0-9a-f]{4}\. /);
    expect(sentence).not.toMatch(/[0-9a-f]{9}/);
  });

  it('counts one item as one item', async () => {
    const { matrix } = await find('1', '9', (x: number) => (x < 5 ? 1 : 2));
    expect(matrix.outcomeA).toBe('1 item');
    expect(matrix.outcomeB).toBe('2 items');
  });

  it('names nothing where the same call comes to two outcomes', async () => {
    const { matrix, sent } = await find('0', '64', (_x, call) => call);
    expect(matrix.refusal).toContain('is not stable');
    expect(sent.length).toBe(3);
    expect(matrix.changes.length).toBeGreaterThan(0);
    expect(matrix.sentence).not.toContain('changes between');
  });

  it.each([
    ['"a"', '"b"', 'No value stands between'],
    ['1', '1.0', 'two spellings'],
    ['1', '2', 'neighbours'],
    ['"2026-02-30"', '"2026-03-05"', '2026-02-30 is no date or time that there is'],
    ['"2026-02-01"', '"2026-03-05T24:61:00Z"', '2026-03-05T24:61:00Z is no date or time'],
    ['"2026-02-01"', '"2026-03-05T00:00:00Z"', 'both are times, but in two forms'],
    ['1e3', '2000', '1e3 has an exponent. Write it without an exponent'],
    ['"5"', '"1E3"', '1E3 has an exponent'],
    ['"007"', '"010"', '007 begins with zeros'],
    ['1', '1'.repeat(41), 'is longer than 40 digits'],
    ['true', 'false', 'No value stands between'],
  ])('refuses %s to %s in words', (a, b, words) => {
    const made = boundary(a, b);
    expect(made.ok ? '' : made.error).toContain(words);
  });

  it('finds two neighbours with different outcomes for any server, within what was planned', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -500, max: 500 }),
        fc.integer({ min: -500, max: 500 }),
        fc.integer(),
        fc.integer({ min: 0, max: 6 }),
        async (a, b, seed, elsewhere) => {
          fc.pre(Math.abs(a - b) > 1);
          const rows = (x: number) => (x === a ? 0 : x === b ? 1 : Math.abs((x * 7919 + seed) % 3));
          const made = boundary(String(a), String(b), elsewhere);
          if (!made.ok) throw new Error(made.error);
          const { sent, sendOnce } = serve(rows as never);
          await runExperiment(made.value, sendOnce, { signal });
          const { changes } = made.value.matrix();
          expect(sent.length).toBeLessThanOrEqual(made.value.plan.callCount);
          expect(changes[0]?.areNeighbours).toBe(true);
          expect(rows(Number(changes[0]?.from))).not.toBe(rows(Number(changes[0]?.to)));
        },
      ),
    );
  });
});
