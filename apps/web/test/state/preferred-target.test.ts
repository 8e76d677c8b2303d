import type { TargetView } from '@misstep/contract';
import { expect, it } from 'vitest';
import { preferredTarget } from '../../src/state/preferred-target.ts';

const target = (name: string, isConfirmed = true) =>
  // Only what the choice reads.
  ({ name, confirmedAt: isConfirmed ? '2026-01-01T00:00:00.000Z' : null }) as TargetView;

const targets = [target('attic'), target('shelf'), target('cellar'), target('new', false)];
const wishes = { chosen: [], replays: [], ofTool: [], recordedServer: null };
const chose = (more: Partial<Parameters<typeof preferredTarget>[1]>) =>
  preferredTarget(targets, { ...wishes, ...more })?.name;

it('keeps to what the person chose, the strongest first', () => {
  const replays = [{ targetName: 'shelf' }];
  expect(chose({ chosen: ['cellar', 'shelf'], replays })).toBe('cellar');
  expect(chose({ chosen: [null, 'new'], replays })).toBe('new');
  expect(chose({ chosen: ['removed', 'cellar'], replays })).toBe('cellar');
});

it('goes where this call went last before it goes by a name', () => {
  const replays = [{ targetName: 'cellar' }, { targetName: 'shelf' }];
  expect(chose({ replays, recordedServer: 'shelf' })).toBe('cellar');
  expect(chose({ replays: [{ targetName: 'removed' }, ...replays] })).toBe('cellar');
  expect(chose({ replays: [{ targetName: 'new' }], recordedServer: 'shelf' })).toBe('shelf');
});

it('goes where the tool was sent last before it takes the first in the alphabet', () => {
  const ofTool = [{ targetName: 'new' }, { targetName: 'shelf' }, { targetName: 'cellar' }];
  expect(chose({ ofTool })).toBe('shelf');
  expect(chose({ ofTool, replays: [{ targetName: 'cellar' }] })).toBe('cellar');
  expect(chose({ ofTool, recordedServer: 'cellar' })).toBe('cellar');
});

it('takes the first confirmed one where nothing says otherwise, and else what there is', () => {
  expect(chose({ recordedServer: 'new' })).toBe('attic');
  expect(preferredTarget([target('new', false)], wishes)?.name).toBe('new');
  expect(preferredTarget([], wishes)).toBeNull();
});
