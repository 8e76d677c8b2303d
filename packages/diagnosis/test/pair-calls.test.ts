import type { StepId } from '@misstep/model';
import { describe, expect, test } from 'vitest';
import { type CallToPair, pairCalls, remarkOfPair } from '../src/index.ts';

/** Calls written as `tool arguments`; `tool ?` = arguments not all recorded. */
const recording = (side: string, ...texts: string[]): CallToPair[] =>
  texts.map((text, index) => {
    const [tool = '', args = ''] = text.split(' ');
    // The brand is only a name: pairing never looks into an id.
    const stepId = `${side}${index + 1}` as StepId;
    return { stepId, seq: index + 1, tool, argumentsText: args === '?' ? null : args };
  });

const pair = (calls: string[], wire: string[]) => {
  const { pairs, wireAlone } = pairCalls(recording('t', ...calls), recording('w', ...wire));
  return {
    seqs: pairs.map((each) => each.wire?.seq ?? null),
    by: pairs.map((each) => each.by),
    remarks: pairs.map(remarkOfPair),
    alone: wireAlone.map(({ seq }) => seq),
  };
};

describe('calls of a transcript and of a wire', () => {
  test('pair by tool and arguments, n-th with n-th, whatever the order', () => {
    expect(pair(['find 1', 'find 2', 'find 1'], ['find 2', 'find 1', 'open 1', 'find 1'])).toEqual({
      seqs: [2, 1, 4],
      by: ['arguments', 'arguments', 'arguments'],
      remarks: [null, null, null],
      alone: [3],
    });
  });

  test('a call that is not on the wire is said, and takes no other call', () => {
    expect(pair(['find 1', 'find 3'], ['find 1', 'find 2'])).toMatchObject({
      seqs: [1, null],
      remarks: [null, 'not found on the wire: it may never have reached the server'],
      alone: [2],
    });
  });

  test('more on the wire than in the transcript may be a silent retry', () => {
    expect(pair(['find 1'], ['find 1', 'find 1'])).toMatchObject({
      seqs: [2],
      remarks: ['2 on the wire: a silent retry?'],
      alone: [1],
    });
    expect(pair(['find 1', 'find 1'], ['find 1', 'find 1', 'find 1'])).toMatchObject({
      seqs: [1, 2],
      remarks: Array(2).fill('2 such calls here, 3 on the wire: a silent retry?'),
      alone: [3],
    });
  });

  test('without all arguments, order decides among what is left of the tool, and that is said', () => {
    const order = 'paired by order alone: the arguments are not all in the transcript';
    expect(pair(['find ?', 'find 1', 'open ?'], ['find 1', 'find 2'])).toEqual({
      seqs: [2, 1, null],
      by: ['order', 'arguments', null],
      remarks: [order, null, 'not found on the wire: it may never have reached the server'],
      alone: [],
    });
    expect(pair(['find ?', 'find 1'], ['find 1', 'find 1']).seqs).toEqual([2, 1]);
  });
});
