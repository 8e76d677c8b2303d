import { ExperimentRequestSchema } from '@misstep/model';
import { describe, expect, it } from 'vitest';
import { argumentLines, shortNames } from '../../src/features/comparisons/argument-lines.ts';
import {
  newSetup,
  requestOf,
  type Setup,
  setupOfRequest,
  within,
  withStepB,
} from '../../src/features/comparisons/setup-model.ts';
import { nearest } from '../../src/features/comparisons/step-field.tsx';

const start = newSetup({
  kind: 'attribute',
  stepId: 's7',
  targetName: 'depot',
  a: 'recorded',
  b: 'draft',
  draftText: '{"n":1.0}',
});
const of = (change: Partial<Setup>) => requestOf({ ...start, ...change });
const REPLAY = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('what is asked', () => {
  it('says what is missing before anything is planned', () => {
    expect(of({ b: '' }).missing).toContain('Choose B');
    expect(of({ draftText: null }).missing).toContain('choose B again');
    expect(of({ a: 'draft', draftText: null }).missing).toContain('choose A again');
    expect(of({ signature: 'count' }).missing).toContain('Say where');
    expect(of({ targetName: '' }).missing).toContain('No server');
  });

  it('takes arguments from the recording, a replay or the draft, character for character', () => {
    expect(of({}).request).toEqual({
      kind: 'attribute',
      targetName: 'depot',
      gapMs: 250,
      call: { stepId: 's7' },
      callB: { stepId: 's7', argumentsText: '{"n":1.0}' },
      signature: 'hash',
      ignoredPointers: [],
      repeats: 3,
    });
    expect(of({ a: REPLAY }).request).toMatchObject({ call: { stepId: 's7', replayId: REPLAY } });
    expect(of({ signature: 'value', pointer: '/a b' }).request).toMatchObject({
      signature: 'value:/a b',
    });
    expect(of({ ignored: ' /at, /cursor  /x ' }).request).toMatchObject({
      ignoredPointers: ['/at', '/cursor', '/x'],
    });
    expect(of({ kind: 'repeat' }).request).toEqual({
      kind: 'repeat',
      targetName: 'depot',
      gapMs: 250,
      call: { stepId: 's7' },
      times: 3,
    });
    expect(of({ kind: 'race', b: '' }).request).toMatchObject({ callB: null, atOnce: 8 });
  });

  it('can be asked again as it was', () => {
    for (const change of [
      {},
      { kind: 'repeat', times: 9 },
      { kind: 'race', connections: 'each', atOnce: 4 },
      { kind: 'race', b: '' },
      { a: REPLAY, signature: 'count', pointer: '/items' },
      { signature: 'error', repeats: 5 },
      { ignored: '/at' },
      { b: 'recorded', stepIdB: 's9' },
      { kind: 'race', b: 'recorded', stepIdB: 's9' },
      { kind: 'boundary', argument: 'since', b: 'recorded', stepIdB: 's9', elsewhere: 2 },
      { kind: 'boundary', argument: 'since', b: REPLAY, stepIdB: 's9' },
      { stepIdB: 's9' },
      { timeoutMs: 1500, sendsLeftOut: true },
      { kind: 'repeat', sendsLeftOut: true },
      { givenIgnored: ['/a b', '/c, d', ''] },
      { signature: 'count', isWholeGiven: true },
    ] as const) {
      const { request } = of(change);
      const whole = ExperimentRequestSchema.parse(request);
      const again = requestOf(setupOfRequest(whole)).request;
      expect(ExperimentRequestSchema.parse(again)).toEqual(whole);
    }
  });

  it('keeps the step that B was of, whichever question is asked next', () => {
    const { request } = of({ b: 'recorded', stepIdB: 's9' });
    const setup = setupOfRequest(ExperimentRequestSchema.parse(request));
    for (const kind of ['attribute', 'boundary', 'race'] as const) {
      expect(requestOf({ ...setup, kind, argument: 'since' }).request).toMatchObject({
        kind,
        call: { stepId: 's7' },
        callB: { stepId: 's9' },
      });
    }
  });

  it('lets B be another step, and drops a replay of the step before', () => {
    expect(requestOf(withStepB({ ...start, b: 'recorded' }, 's9')).request).toMatchObject({
      call: { stepId: 's7' },
      callB: { stepId: 's9' },
    });
    expect(withStepB({ ...start, b: REPLAY }, 's9')).toMatchObject({ b: 'recorded' });
    expect(withStepB({ ...start, b: '' }, 's9')).toMatchObject({ b: 'recorded' });
    expect(withStepB(start, 's9')).toMatchObject({ b: 'draft' });
  });

  it('forgets what an earlier request left out once something is typed', () => {
    expect(of({ givenIgnored: ['/a b'], ignored: '/a b' }).request).toMatchObject({
      ignoredPointers: ['/a b'],
    });
    expect(of({ givenIgnored: null, ignored: '/a' }).request).toMatchObject({
      ignoredPointers: ['/a'],
    });
  });

  it('keeps numbers within their bounds', () => {
    expect([
      within(1, 2, 9),
      within(99, 2, 9),
      within(Number.NaN, 2, 9),
      within(3.4, 2, 9),
    ]).toEqual([2, 9, 2, 3]);
  });
});

describe('the lines of two calls', () => {
  it('mark what differs, by value and not by writing', () => {
    const { a, b } = argumentLines(
      '{"a": 1.0, "same":[1, 2], "only":null}',
      '{"same":[1,2],"a":1.00001}',
    );
    expect(a.map(({ name, value, differs }) => [name, value, differs])).toEqual([
      ['a', '1.0', true],
      ['same', '[1, 2]', false],
      ['only', 'null', true],
    ]);
    expect(b.map(({ name, differs }) => [name, differs])).toEqual([
      ['same', false],
      ['a', true],
    ]);
    expect(argumentLines('[1]', 'no').a).toEqual([]);
  });

  it('have names as short as they can be told apart', () => {
    expect(shortNames(['customer', 'since', 'limit'])).toEqual(['c', 's', 'l']);
    expect(shortNames(['from', 'from_date', 'fr'])).toEqual(['from', 'from_', 'fr']);
    expect(shortNames(['😀a', '😀b'])).toEqual(['😀a', '😀b']);
  });
});

describe('the steps that B may call', () => {
  const all = Array.from({ length: 1000 }, (_, at) => ({ id: `s${at}`, seq: at + 1, summary: '' }));

  it('are those around A’s, and the chosen one always', () => {
    expect(nearest(all.slice(0, 3), 2, 's0')).toEqual({ calls: all.slice(0, 3), omitted: 0 });
    const { calls, omitted } = nearest(all, 500, 's3');
    expect(calls.length + omitted).toBe(1000);
    expect(calls.map(({ id }) => id)).toContain('s3');
    expect(calls.map(({ id }) => id)).toContain('s499');
    expect(nearest(all, 1000, 's999').calls).toHaveLength(200);
  });
});
