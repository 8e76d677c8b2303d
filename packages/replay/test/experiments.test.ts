import { fail, ok } from '@misstep/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differencesBetween, mixArguments } from '../src/experiments/argument-differences.ts';
import {
  AttributeExperiment,
  RepeatExperiment,
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

function attribution(a: Arguments, b: Arguments, by: string, repeats = 2) {
  const signature = readSignature(by);
  if (!signature.ok) throw new Error(signature.error);
  const made = AttributeExperiment.create({
    textA: JSON.stringify(a),
    textB: JSON.stringify(b),
    signature: signature.value,
    repeats,
    isReadOnly: false,
  });
  if (!made.ok) throw new Error(made.error);
  return made.value;
}

describe('repeat', () => {
  const repeat = (times: number) =>
    new RepeatExperiment({ argumentsText: '{"n": 1.0}', times, isReadOnly: true });

  it('finds the same bytes, or names the pointers that move', async () => {
    const still = sender(() => ({ count: 1 }));
    const same = await runExperiment(repeat(4), still.sendOnce, { signal });
    expect(same).toMatchObject({ ending: 'complete', sentCount: 4, matrix: { sameBytes: true } });
    expect(still.sent).toEqual(Array(4).fill('{"n": 1.0}'));
    const moving = sender((_args, call) => ({ count: 1, at: call, list: call === 2 ? [] : [1] }));
    const { matrix } = await runExperiment(repeat(3), moving.sendOnce, { signal });
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
    const stopped = await runExperiment(repeat(9), sendOnce, { signal: controller.signal });
    expect(stopped).toMatchObject({ ending: 'stopped', sentCount: 2, matrix: { sameBytes: true } });
    expect(sent).toHaveLength(2);
    const refused = await runExperiment(repeat(3), async () => fail('Not confirmed.'), { signal });
    expect(refused).toMatchObject({ ending: 'failed', reason: 'Not confirmed.', sentCount: 0 });
    expect(refused.matrix.sameBytes).toBeNull();
  });

  it('plans how many calls may change something', () => {
    expect(repeat(3).plan).toMatchObject({ callCount: 3, destructiveCount: 0 });
    const plan = new RepeatExperiment({ argumentsText: '{}', times: 3, isReadOnly: false }).plan;
    expect(plan).toMatchObject({ callCount: 3, destructiveCount: 3 });
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
    const { matrix } = await runExperiment(attribution(a, b, by), sendOnce, { signal });
    return Object.fromEntries(
      matrix.judgements.map(({ argument, verdict }) => [argument, verdict]),
    );
  };

  it('finds either of two arguments enough, and a third without effect', async () => {
    const { sent, sendOnce } = sender(({ customer, placed_after }) => {
      const isFound = customer === 'Hollow Farm' && placed_after === '2026-01-01';
      return { count: isFound ? 20 : 0, orders: isFound ? [1, 2] : [] };
    });
    const experiment = attribution(A, B, 'count:/orders');
    expect(experiment.plan).toMatchObject({
      kind: 'attribute',
      callCount: 10,
      destructiveCount: 10,
    });
    const { matrix, ending } = await runExperiment(experiment, sendOnce, { signal });
    expect(ending).toBe('complete');
    expect(sent).toHaveLength(10);
    expect(new Set(sent).size).toBe(8);
    expect(matrix).toMatchObject({
      outcomeA: '0 items',
      outcomeB: '2 items',
      refusal: null,
      judgements: [
        { argument: 'customer', verdict: 'sufficient' },
        { argument: 'placed_after', verdict: 'sufficient' },
        { argument: 'limit', verdict: 'no effect' },
      ],
    });
    expect(matrix.cells).toHaveLength(8);
    expect(matrix.arguments.map(({ name }) => name)).toEqual(['customer', 'placed_after', 'limit']);
  });

  it('tells necessary, sole and interacting arguments apart', async () => {
    const a = { x: 1, y: 1, z: 1 };
    const b = { x: 2, y: 2, z: 2 };
    const by = 'value:/v';
    expect(
      await verdicts(a, b, by, ({ x, y }) => ({ v: x === 1 && y === 1 ? 'bad' : 'good' })),
    ).toEqual({ x: 'necessary', y: 'necessary', z: 'no effect' });
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
      {
        x: 'sufficient and necessary',
      },
    );
  });

  it('is refused where the outcome moves by itself, or is the same', async () => {
    const { sent, sendOnce } = sender((_args, call) => ({ v: call }));
    const moving = await runExperiment(attribution(A, B, 'value:/v'), sendOnce, { signal });
    expect(moving.matrix.refusal).toBe(
      'Nothing is attributed: the value at /v is not stable, the same call A came to 1 and 2.',
    );
    expect([sent.length, moving.matrix.judgements]).toEqual([4, []]);
    const same = await runExperiment(
      attribution(A, B, 'value:/v'),
      sender(() => ({ v: 1 })).sendOnce,
      { signal },
    );
    expect(same.matrix.refusal).toContain('A and B both come to 1');
  });

  it('leaves pointers that move out of a hash, by name', async () => {
    const { sendOnce } = sender(({ limit }, call) => ({ at: call, n: limit }));
    const { matrix } = await runExperiment(attribution(A, B, 'hash'), sendOnce, { signal });
    expect(matrix).toMatchObject({ refusal: null, excludedPointers: ['/at'] });
    expect(matrix.sentence).toContain('Left out because they move by themselves: /at.');
    expect(matrix.judgements.map(({ verdict }) => verdict)).toEqual([
      'no effect',
      'no effect',
      'sufficient and necessary',
    ]);
  });

  it('switches singly beyond four differences, and says so', async () => {
    const a = Object.fromEntries([...'abcdef'].map((name) => [name, 1]));
    const b = Object.fromEntries([...'abcdef'].map((name) => [name, 2]));
    const experiment = attribution(a, b, 'value:/v');
    expect(experiment.plan.callCount).toBe(4 + 12);
    const { sendOnce } = sender((args) => ({ v: args.a }));
    const { matrix } = await runExperiment(experiment, sendOnce, { signal });
    expect(matrix.judgements[0]?.verdict).toBe('sufficient and necessary');
    expect(matrix.judgements[1]?.sentence).toContain('other combinations were not called');
  });

  it('stopped half way judges only what was called', async () => {
    const controller = new AbortController();
    const { sendOnce } = sender(({ customer }, call) => {
      if (call === 6) controller.abort();
      return { v: customer };
    });
    const { matrix, ending } = await runExperiment(attribution(A, B, 'value:/v'), sendOnce, {
      signal: controller.signal,
    });
    expect(ending).toBe('stopped');
    expect(matrix.judgements.map(({ verdict }) => verdict)).toEqual([
      'sufficient and necessary',
      'not decided',
      'not decided',
    ]);
  });

  it('has nothing to do with equal calls or keys that stand twice', () => {
    const create = (textA: string, textB: string) =>
      AttributeExperiment.create({
        textA,
        textB,
        signature: { kind: 'hash' },
        repeats: 2,
        isReadOnly: true,
      });
    expect(create('{"a": 1, "b":2}', '{"b":2,"a":1}')).toMatchObject({ ok: false });
    expect(create('{"a":1,"a":2}', '{"a":1}')).toMatchObject({ ok: false });
    expect(create('[1]', '{"a":1}')).toMatchObject({ ok: false });
  });
});

describe('mixed arguments', () => {
  it('keep every character that is not switched', () => {
    const a = '{ "n": 9007199254740993,\n "gone": [1], "s" : "\\u00e9" }';
    const b = '{"s":"é","n":1.0,"new":{"x":-0}}';
    const found = differencesBetween(a, b);
    if (!found.ok) throw new Error(found.error);
    expect(found.value).toEqual([
      { name: 'n', a: '9007199254740993', b: '1.0' },
      { name: 'gone', a: '[1]', b: null },
      { name: 'new', a: null, b: '{"x":-0}' },
    ]);
    const mix = (...fromB: boolean[]) => mixArguments(a, b, found.value, fromB);
    expect(mix(false, false, false)).toBe(a);
    expect(mix(true, true, true)).toBe(b);
    expect(mix(true, false, false)).toBe('{ "n": 1.0,\n "gone": [1], "s" : "\\u00e9" }');
    expect(mix(false, true, false)).not.toContain('gone');
    expect(mix(false, false, true)).toContain('"new"');
  });

  it('are the arguments of either side, one by one', () => {
    const args = fc.dictionary(fc.string({ maxLength: 3 }), fc.integer({ max: 3 }), { maxKeys: 5 });
    fc.assert(
      fc.property(args, args, fc.infiniteStream(fc.boolean()), (a, b, coins) => {
        const found = differencesBetween(JSON.stringify(a), JSON.stringify(b));
        if (!found.ok) throw new Error(found.error);
        const fromB = found.value.map(() => coins.next().value === true);
        const mixed: Arguments = JSON.parse(
          mixArguments(JSON.stringify(a), JSON.stringify(b), found.value, fromB),
        );
        for (const [index, { name }] of found.value.entries()) {
          const side: Arguments = fromB[index] === true ? b : a;
          expect(Object.hasOwn(mixed, name)).toBe(Object.hasOwn(side, name));
          expect(mixed[name]).toBe(side[name]);
        }
      }),
    );
  });
});
