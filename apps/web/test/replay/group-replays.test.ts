import type { ReplaySummary } from '@misstep/contract';
import { expect, it } from 'vitest';
import { groupReplays, rowsOfEntries } from '../../src/features/replays/group-replays.ts';

/** Only what grouping looks at. */
const replay = (id: string, experimentId: string | null) =>
  ({ id, experimentId }) as unknown as ReplaySummary;

it('makes one entry of an experiment, at its newest call, and loses none', () => {
  const list = [replay('6', 'e2'), replay('5', null), replay('4', 'e1'), replay('3', 'e2')];
  const entries = groupReplays(list);
  expect(entries).toMatchObject([
    { kind: 'experiment', experimentId: 'e2', replays: [{ id: '6' }, { id: '3' }] },
    { kind: 'own', replay: { id: '5' } },
    { kind: 'experiment', experimentId: 'e1', replays: [{ id: '4' }] },
  ]);
  const unfolded = rowsOfEntries(entries, new Set(['e2']));
  expect(
    unfolded.map((row) => (row.kind === 'experiment' ? row.experimentId : row.replay.id)),
  ).toEqual(['e2', '6', '3', '5', 'e1']);
  expect(rowsOfEntries(entries, new Set())).toEqual(entries);
});
