import { fail, ok } from '@misstep/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AttributeExperiment,
  type ExperimentMachine,
  RepeatExperiment,
  type RunOptions,
  readSignature,
  runExperiment,
  type SendOnce,
} from '../src/index.ts';

type Arguments = Record<string, unknown>;

/** A server in a function: what it gives for arguments, as JSON in a text block. */
function sender(serve: (args: Arguments, call: number) => unknown) {
  const sent: string[] = [];
  const sendOnce: SendOnce = async ({ argumentsText }) => {
    sent.push(argumentsText);
    const args: Arguments = JSON.parse(argumentsText);
    const answer = serve(args, sent.length);
    if (answer instanceof Error) {
      return ok({
        replayId: `r${sent.length}`,
        outcome: 'toolError',
        resultText: '{"isError":true}',
        callDurationNs: 5,
      });
    }
    const resultText = JSON.stringify({
      content: [{ type: 'text', text: JSON.stringify(answer) }],
    });
    return ok({ replayId: `r${sent.length}`, outcome: 'result', resultText, callDurationNs: 5 });
  };
  return { sent, sendOnce };
}

const signal = new AbortController().signal;

/** The machine's own matrix beside how the run of it ended. */
async function runAll<Matrix>(
  experiment: ExperimentMachine<Matrix>,
  sendOnce: SendOnce,
  options: RunOptions,
) {
  const end = await runExperiment(experiment, sendOnce, options);
  return { ...end, matrix: experiment.matrix() };
}

function attribution(
  a: Arguments,
  b: Arguments,
  by: string,
  options: { repeats?: number; seed?: number; ignoredPointers?: string[] } = {},
) {
  const signature = readSignature(by);
  if (!signature.ok) throw new Error(signature.error);
  const made = AttributeExperiment.create({
    textA: JSON.stringify(a),
    textB: JSON.stringify(b),
    signature: signature.value,
    ignoredPointers: [],
    repeats: 2,
    seed: 7,
    ...options,
  });
  if (!made.ok) throw new Error(made.error);
  return made.value;
}

describe('repeat', () => {
  const repeat = (times: number) => new RepeatExperiment({ argumentsText: '{"n": 1.0}', times });

  it('finds the same bytes, or names the pointers that move', async () => {
    const still = sender(() => ({ count: 1 }));
    const same = await runAll(repeat(4), still.sendOnce, { signal });
    expect(same).toMatchObject({ ending: 'complete', sentCount: 4, matrix: { sameBytes: true } });
    expect(still.sent).toEqual(Array(4).fill('{"n": 1.0}'));
    const moving = sender((_args, call) => ({ count: 1, at: call, list: call === 2 ? [] : [1] }));
    const { matrix } = await runAll(repeat(3), moving.sendOnce, { signal });
    expect(matrix).toMatchObject({
      sameBytes: false,
      sameOutcome: true,
      movingPointers: ['/at', '/list/0', '/list'],
    });
    expect(matrix.rows.map(({ sameBytesAs }) => sameBytesAs)).toEqual([1, 2, 3]);
    expect(matrix.sentence).toContain("can't carry an attribution");
  });

  it('keeps what is known when it is stopped or refused, and sends nothing more', async () => {
    const controller = new AbortController();
    const { sent, sendOnce } = sender((_args, call) => {
      if (call === 2) controller.abort();
      return 1;
    });
    const stopped = await runAll(repeat(9), sendOnce, { signal: controller.signal });
    expect(stopped).toMatchObject({ ending: 'stopped', sentCount: 2, matrix: { sameBytes: true } });
    expect(sent).toHaveLength(2);
    const refused = await runAll(repeat(3), async () => fail('Not confirmed.'), { signal });
    expect(refused).toMatchObject({ ending: 'failed', reason: 'Not confirmed.', sentCount: 0 });
    expect(refused.matrix.sameBytes).toBeNull();
  });

  it('counts what it would send', () => {
    const { plan } = repeat(3);
    expect(plan).toMatchObject({ callCount: 3, order: [{ id: '1' }, { id: '2' }, { id: '3' }] });
  });
});

describe('attribution', () => {
  const A = { customer: 'hollow farm', placed_after: 'last Tuesday', limit: 20, region: 'x' };
  const B = { customer: 'Hollow Farm', placed_after: '2026-01-01', limit: 100, region: 'x' };
  const verdicts = async (
    a: Arguments,
    b: Arguments,
    by: string,
    serve: (args: Arguments, call: number) => unknown,
  ) => {
    const { sendOnce } = sender(serve);
    const { matrix } = await runAll(attribution(a, b, by), sendOnce, { signal });
    return Object.fromEntries(
      matrix.judgements.map(({ argument, verdict }) => [argument, verdict]),
    );
  };

  it('finds two arguments needed, and a third without effect', async () => {
    const { sent, sendOnce } = sender(({ customer, placed_after }) => {
      const isFound = customer === 'Hollow Farm' && placed_after === '2026-01-01';
      return { count: isFound ? 20 : 0, orders: isFound ? [1, 2] : [] };
    });
    const experiment = attribution(A, B, 'count:/orders');
    expect(experiment.plan).toMatchObject({ kind: 'attribute', callCount: 4 + 2 * 8 });
    const { matrix, ending } = await runAll(experiment, sendOnce, { signal });
    expect(ending).toBe('complete');
    expect(sent).toHaveLength(20);
    expect(new Set(sent).size).toBe(8);
    expect(matrix).toMatchObject({
      outcomeA: '0 items',
      outcomeB: '2 items',
      refusal: null,
      judgements: [
        { argument: 'customer', verdict: 'necessary' },
        { argument: 'placed_after', verdict: 'necessary' },
        { argument: 'limit', verdict: 'no effect' },
      ],
      stableCount: 20,
      sentCount: 20,
      differences: [
        { pointer: '/count', a: '0', b: '20' },
        { pointer: '/orders', a: '[]', b: '2 items' },
      ],
    });
    expect(matrix.cells).toHaveLength(8);
    expect(matrix.cells.map(({ key }) => key).slice(0, 5)).toEqual([
      'AAA',
      'BBB',
      'BAA',
      'ABA',
      'AAB',
    ]);
    expect(matrix.sentence).toBe(
      'customer and placed_after are needed to turn 0 items into 2 items; limit does not. Putting A’s value of any of them into B takes that back; none is enough alone.',
    );
    expect(matrix.notShown.length).toBeGreaterThan(2);
    expect(matrix.arguments.map(({ name }) => name)).toEqual(['customer', 'placed_after', 'limit']);
  });

  it('tells sufficient, sole and interacting arguments apart', async () => {
    const a = { x: 1, y: 1, z: 1 };
    const b = { x: 2, y: 2, z: 2 };
    const by = 'value:/v';
    expect(
      await verdicts(a, b, by, ({ x, y }) => ({ v: x === 2 || y === 2 ? 'good' : 'bad' })),
    ).toEqual({ x: 'sufficient', y: 'sufficient', z: 'no effect' });
    expect(await verdicts(a, b, by, ({ x }) => ({ v: x === 1 ? 'bad' : 'good' }))).toEqual({
      x: 'sufficient and necessary',
      y: 'no effect',
      z: 'no effect',
    });
    // At least two of three: none alone is enough, and none alone is missed.
    const most = ({ x, y, z }: Arguments) => ({
      v: [x, y, z].filter((each) => each === 1).length > 1,
    });
    expect(await verdicts(a, b, by, most)).toEqual({
      x: 'interacting',
      y: 'interacting',
      z: 'interacting',
    });
    expect(await verdicts(a, b, 'error', ({ x }) => (x === 1 ? new Error('no') : 1))).toMatchObject(
      { x: 'sufficient and necessary' },
    );
  });

  it('gives any server that depends on one value that verdict, in whatever order it is asked', () => {
    const names = ['p', 'q', 'r', 's'];
    return fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.nat(),
        fc.integer({ min: 0, max: 0xffff_ffff }),
        fc.constantFrom<'one' | 'all' | 'any'>('one', 'all', 'any'),
        async (count, pick, seed, how) => {
          const used = names.slice(0, count);
          const a = Object.fromEntries(used.map((name) => [name, 1]));
          const b = Object.fromEntries(used.map((name) => [name, 2]));
          const sole = used[pick % count] ?? 'p';
          const { sent, sendOnce } = sender((args) => {
            const mine = used.map((name) => args[name] === 2);
            const isGood =
              how === 'one'
                ? args[sole] === 2
                : how === 'all'
                  ? !mine.includes(false)
                  : mine.includes(true);
            return { v: isGood };
          });
          const experiment = attribution(a, b, 'value:/v', { seed });
          const { matrix } = await runAll(experiment, sendOnce, { signal });
          expect(sent).toHaveLength(4 + 2 * 2 ** count);
          for (const { argument, verdict } of matrix.judgements) {
            const expected =
              count === 1
                ? 'sufficient and necessary'
                : how === 'all'
                  ? 'necessary'
                  : how === 'any'
                    ? 'sufficient'
                    : argument === sole
                      ? 'sufficient and necessary'
                      : 'no effect';
            expect(verdict).toBe(expected);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('asks in another order in each repeat, the same for the same seed', () => {
    const ids = (seed: number) =>
      attribution(A, B, 'hash', { repeats: 3, seed }).plan.order.map(({ id }) => id);
    expect(ids(1)).toEqual(ids(1));
    expect(ids(1)).not.toEqual(ids(2));
    expect(ids(1).slice(0, 4)).toEqual([
      'check 1 AAA',
      'check 1 BBB',
      'check 2 AAA',
      'check 2 BBB',
    ]);
    expect(new Set(ids(1)).size).toBe(4 + 3 * 8);
    const round = (number: number) =>
      ids(1)
        .filter((id) => id.startsWith(`repeat ${number} `))
        .map((id) => id.slice(-3));
    expect(round(1)).not.toEqual(round(2));
    expect([...round(1)].sort()).toEqual([...round(2)].sort());
  });

  it('is refused where the outcome moves by itself, or is the same', async () => {
    const { sent, sendOnce } = sender((_args, call) => ({ v: call }));
    const moving = await runAll(attribution(A, B, 'value:/v'), sendOnce, { signal });
    expect(moving.matrix.refusal).toBe(
      'Nothing is attributed: the value at /v is not stable, the same call A came to 1 and 3.',
    );
    expect([sent.length, moving.matrix.judgements]).toEqual([3, []]);
    const same = sender(() => ({ v: 1 }));
    const { matrix } = await runAll(attribution(A, B, 'value:/v'), same.sendOnce, { signal });
    expect(matrix.refusal).toContain('A and B both come to 1');
    expect(same.sent).toHaveLength(4);
  });

  it('takes its verdict back where a combination turns out unstable, and names it', async () => {
    let mixed = 0;
    const { sendOnce } = sender(({ customer, limit }) => {
      if (customer === 'Hollow Farm' && limit === 20) mixed += 1;
      return { v: customer, w: mixed > 3 ? 1 : 0 };
    });
    const { matrix } = await runAll(attribution(A, B, 'value:/w'), sendOnce, { signal });
    expect(matrix.refusal).not.toBeNull();
    const late = sender(({ customer, placed_after, limit }, call) => {
      const isMixed = customer === 'Hollow Farm' && placed_after === 'last Tuesday' && limit === 20;
      return { v: isMixed ? call : customer };
    });
    const end = await runAll(attribution(A, B, 'value:/v'), late.sendOnce, { signal });
    expect(end.matrix.refusal).toMatch(/the same call A, B’s customer came to \d+ and \d+\.$/);
    expect(end.matrix.cells.find(({ key }) => key === 'BAA')).toMatchObject({
      isStable: false,
      signature: null,
      effect: 'not known',
    });
  });

  it('leaves pointers that move out of a hash, by name, and those that the person names', async () => {
    const { sendOnce } = sender(({ limit }, call) => ({ at: call, n: limit }));
    const { matrix } = await runAll(attribution(A, B, 'hash'), sendOnce, { signal });
    expect(matrix).toMatchObject({ refusal: null, excludedPointers: ['/at'] });
    expect(matrix.sentence).toContain('Left out because they move by themselves: /at.');
    expect(matrix.judgements.map(({ verdict }) => verdict)).toEqual([
      'no effect',
      'no effect',
      'sufficient and necessary',
    ]);
    const ignored = attribution(A, B, 'hash', { ignoredPointers: ['/n', '/at'] });
    const none = await runAll(ignored, sendOnce, { signal });
    expect(none.matrix.refusal).toContain('A and B both come to');
    expect(none.matrix).toMatchObject({ excludedPointers: [], ignoredPointers: ['/n', '/at'] });
  });

  it('switches singly beyond four differences, and says so', async () => {
    const a = Object.fromEntries([...'abcdef'].map((name) => [name, 1]));
    const b = Object.fromEntries([...'abcdef'].map((name) => [name, 2]));
    const experiment = attribution(a, b, 'value:/v');
    expect(experiment.plan.callCount).toBe(4 + 2 * 14);
    const { sendOnce } = sender((args) => ({ v: args.a }));
    const { matrix } = await runAll(experiment, sendOnce, { signal });
    expect(matrix.judgements[0]?.verdict).toBe('sufficient and necessary');
    expect(matrix.judgements[1]?.sentence).toContain('other combinations were not called');
    expect(matrix.notShown.join(' ')).toContain('Several arguments switched together');
  });

  it('stopped half way judges only what was called', async () => {
    const controller = new AbortController();
    const { sent, sendOnce } = sender(({ customer }, call) => {
      if (call === 7) controller.abort();
      return { v: customer };
    });
    const { matrix, ending } = await runAll(attribution(A, B, 'value:/v'), sendOnce, {
      signal: controller.signal,
    });
    expect([ending, sent.length]).toEqual(['stopped', 7]);
    expect(matrix.judgements.map(({ verdict }) => verdict)).toContain('not decided');
    expect(matrix.cells).toHaveLength(8);
    expect(matrix.cells.filter(({ sends }) => sends.length === 0).length).toBeGreaterThan(2);
  });

  it('ends where the server is gone, with what came before', async () => {
    const { sendOnce } = sender(({ customer }) => ({ v: customer }));
    let calls = 0;
    const kept: string[] = [];
    const end = await runAll(
      attribution(A, B, 'value:/v'),
      async (call, stop) => {
        calls += 1;
        if (calls < 5) return sendOnce(call, stop);
        return ok({
          replayId: 'r5',
          outcome: 'serverDidNotStart',
          sentence: 'The command could not be started.',
          resultText: null,
          callDurationNs: null,
        });
      },
      { signal, onSent: async ({ id }) => void kept.push(id) },
    );
    expect(end).toMatchObject({ ending: 'failed', sentCount: 4 });
    expect(end.reason).toMatch(/^Call 5 .* was not sent: The command could not be started\.$/);
    expect([calls, kept.length, end.matrix.sentCount]).toEqual([5, 4, 4]);
  });

  it('has nothing to do with equal calls, keys that stand twice, or too many calls', () => {
    const create = (textA: string, textB: string, repeats = 2) =>
      AttributeExperiment.create({
        textA,
        textB,
        signature: { kind: 'hash' },
        ignoredPointers: [],
        repeats,
        seed: 1,
      });
    expect(create('{"a": 1, "b":2}', '{"b":2,"a":1}')).toMatchObject({ ok: false });
    expect(create('{"a":1,"a":2}', '{"a":1}')).toMatchObject({ ok: false });
    expect(create('[1]', '{"a":1}')).toMatchObject({ ok: false });
    const many = (value: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`k${at}`, value])));
    expect(create(many(1), many(2), 20)).toMatchObject({
      ok: false,
      error: 'That would be 844 calls, more than 500: ask for fewer repeats.',
    });
  });
});
