import { ExperimentRequestSchema } from '@misstep/model';
import { describe, expect, it } from 'vitest';
import { argumentLines, shortNames } from '../../src/features/comparisons/argument-lines.ts';
import {
  newSetup,
  requestOf,
  type Setup,
  setupOfRequest,
  within,
} from '../../src/features/comparisons/setup-model.ts';

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
      { sendsLeftOut: true },
      { kind: 'repeat', sendsLeftOut: true },
    ] as const) {
      const { request } = of(change);
      const whole = ExperimentRequestSchema.parse(request);
      const again = requestOf(setupOfRequest(whole)).request;
      expect(ExperimentRequestSchema.parse(again)).toEqual(whole);
    }
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
