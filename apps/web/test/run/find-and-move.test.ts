import { STEP_FLAGS, STEP_STATUSES } from '@misstep/model';
import { describe, expect, it } from 'vitest';
import { matchSteps } from '../../src/features/call-tree/find-matches.ts';
import { readFindQuery } from '../../src/features/call-tree/find-query.ts';
import { chipsOf } from '../../src/features/call-tree/step-chips.ts';
import {
  applyTreeCommand,
  commandOfKey,
  type TreeCommand,
  type TreePosition,
} from '../../src/features/call-tree/tree-movement.ts';
import { shapeTree } from '../../src/features/call-tree/tree-shape.ts';
import { listVisibleRows } from '../../src/features/call-tree/visible-rows.ts';
import { skeletonOf } from './skeleton.ts';

const skeleton = skeletonOf([
  { kind: 'user', name: 'User turn', summary: 'Find the missing parcel' },
  { parent: 0, kind: 'model', name: 'Model call', summary: 'I will look.' },
  { parent: 0, server: 'depot', tool: 'find_parcel', summary: 'code: "PX-9"' },
  { parent: 0, server: 'depot', tool: 'find_parcel', status: 'error', summary: 'code: "px-10"' },
  { parent: 0, server: 'mail', tool: 'send_note', status: 'unanswered' },
  { kind: 'user', name: 'User turn' },
]);
const shape = shapeTree(skeleton);

function found(query: string): number[] {
  const reading = readFindQuery(query);
  if (!reading.ok) throw new Error(reading.problem.message);
  const matches = matchSteps(skeleton, reading.terms);
  return matches === null ? [] : [...matches].flatMap((bit, index) => (bit === 1 ? [index] : []));
}

describe('find in run', () => {
  it('looks in names, summaries, servers and tools, whatever the case', () => {
    expect(found('px-')).toEqual([2, 3]);
    expect(found('depot/find')).toEqual([2, 3]);
    expect(found('"missing parcel"')).toEqual([0]);
    expect(found('')).toEqual([]);
  });

  it('narrows to fields', () => {
    expect(found('tool:find px-9')).toEqual([2]);
    expect(found('error:yes')).toEqual([3]);
    expect(found('server:mail')).toEqual([4]);
    expect(found('kind:model')).toEqual([1]);
    expect(found('status:unanswered')).toEqual([4]);
    expect(found('error:no kind:user')).toEqual([0, 5]);
  });

  it('names an unknown field and offers the one that was meant', () => {
    expect(readFindQuery('eror:yes parcel')).toEqual({
      ok: false,
      problem: {
        message: 'no field "eror"',
        correction: 'error:yes parcel',
        correctedTerm: 'error:yes',
      },
    });
    expect(readFindQuery('zzzzzz:1')).toMatchObject({ ok: false, problem: { correction: null } });
    expect(readFindQuery('status:unaswered')).toMatchObject({
      problem: { correction: 'status:unanswered' },
    });
  });

  it('takes addresses and times for text', () => {
    expect(readFindQuery('https://depot.example')).toEqual({
      ok: true,
      terms: [{ field: 'text', value: 'https://depot.example' }],
    });
  });
});

function position(options: Partial<TreePosition> = {}): TreePosition {
  const folded = options.folded ?? new Set<number>();
  return {
    skeleton,
    shape,
    visible: listVisibleRows({
      shape,
      view: 'tree',
      folded,
      matches: null,
      gaps: [],
      startsNs: skeleton.startsNs,
    }),
    view: 'tree',
    folded,
    filtered: false,
    selected: null,
    pageRows: 3,
    ...options,
  };
}

describe('movement', () => {
  const cases: [TreeCommand, number | null, unknown][] = [
    ['next', null, { kind: 'select', index: 0 }],
    ['next', 0, { kind: 'select', index: 1 }],
    ['next', 5, { kind: 'none' }],
    ['previous', 1, { kind: 'select', index: 0 }],
    ['nextSibling', 0, { kind: 'select', index: 5 }],
    ['previousSibling', 2, { kind: 'select', index: 1 }],
    ['foldOrParent', 0, { kind: 'fold', index: 0 }],
    ['foldOrParent', 3, { kind: 'select', index: 0 }],
    ['openOrChild', 0, { kind: 'select', index: 1 }],
    ['openOrChild', 2, { kind: 'none' }],
    ['first', 4, { kind: 'select', index: 0 }],
    ['last', 0, { kind: 'select', index: 5 }],
    ['pageDown', 0, { kind: 'select', index: 2 }],
    ['pageUp', 5, { kind: 'select', index: 3 }],
    ['nextError', null, { kind: 'select', index: 3 }],
    ['previousError', 3, { kind: 'none' }],
    ['nextSameTool', 2, { kind: 'select', index: 3 }],
    ['nextSameTool', 0, { kind: 'none' }],
  ];
  it.each(cases)('%s from %s', (command, selected, effect) => {
    expect(applyTreeCommand(command, position({ selected }))).toEqual(effect);
  });

  it('opens a folded step before it goes into it', () => {
    const folded = new Set([0]);
    expect(applyTreeCommand('openOrChild', position({ selected: 0, folded }))).toEqual({
      kind: 'open',
      index: 0,
    });
  });

  it('moves on from the folded ancestor of a hidden selection', () => {
    const folded = new Set([0]);
    expect(applyTreeCommand('next', position({ selected: 3, folded }))).toEqual({
      kind: 'select',
      index: 5,
    });
  });

  it('knows its keys and leaves the others alone', () => {
    expect(commandOfKey({ key: 'j', shift: false })).toBe('next');
    expect(commandOfKey({ key: 'ArrowDown', shift: true })).toBe('nextSibling');
    expect(commandOfKey({ key: 'S', shift: true })).toBe('previousSameTool');
    expect(commandOfKey({ key: 'n', shift: false })).toBeNull();
  });
});

describe('chips', () => {
  it('orders them by weight', () => {
    const flags = STEP_FLAGS.parallel | STEP_FLAGS.truncated | STEP_FLAGS.noTime;
    const chips = chipsOf(STEP_STATUSES.indexOf('error'), flags);
    expect(chips.map((chip) => chip.word)).toEqual([
      'isError',
      'truncated',
      'parallel',
      'no time recorded',
    ]);
  });

  it('keeps the four failures apart', () => {
    const words = (
      ['error', 'protocolError', 'unknownTool', 'neverReached', 'unanswered'] as const
    ).map((status) => chipsOf(STEP_STATUSES.indexOf(status), 0)[0]?.word);
    expect(new Set(words).size).toBe(5);
  });
});
