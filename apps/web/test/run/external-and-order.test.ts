import { STEP_FLAGS, STEP_STATUSES } from '@misstep/model';
import { describe, expect, it } from 'vitest';
import { rowName } from '../../src/features/call-tree/row-words.ts';
import { chipsOf, externalChip } from '../../src/features/call-tree/step-chips.ts';
import { modelByOrder } from '../../src/features/overview/order-model.ts';
import { externalMarkTexts } from '../../src/features/run/external-marks.ts';
import { startedText } from '../../src/features/run/started-text.ts';
import { buildRunModel } from '../../src/features/run/use-run-model.ts';
import { skeletonOf } from './skeleton.ts';

describe('an external mark', () => {
  const mark = {
    by: 'Who&When label',
    stepId: 's2',
    seq: 2,
    placeText: 'entry 1',
    agent: 'Porter',
    category: null,
    reason: 'It weighed the wrong crate.',
    origin: { sha256: 'a'.repeat(64), offset: 0, length: 1, pointer: '' },
  };
  const marks = JSON.parse(
    JSON.stringify([mark, { ...mark, by: 'Second' }, { ...mark, stepId: null }]),
  );

  it('stands at its step with all who say it, and nowhere without a step', () => {
    const labels = externalMarkTexts(marks, (id) => (id === 's2' ? 1 : undefined));
    expect([...labels.keys()]).toEqual([1]);
    expect(labels.get(1)).toBe(
      'Who&When label: entry 1: Porter: It weighed the wrong crate.\nSecond: entry 1: Porter: It weighed the wrong crate.',
    );
  });

  it('is a plain chip of its own word, and in the name of the row', () => {
    expect(externalChip('x')).toMatchObject({ word: 'external', tone: 'plain' });
    const skeleton = skeletonOf([{ name: 'weigh' }]);
    expect(rowName(skeleton, 0, null, 'external mark')).toContain('external mark');
    expect(rowName(skeleton, 0, null)).not.toContain('external');
  });
});

describe('a result that is an error', () => {
  it('has a chip that is another than that of the transport', () => {
    const wordOf = (status: (typeof STEP_STATUSES)[number]) =>
      chipsOf(STEP_STATUSES.indexOf(status), 0).map(({ word }) => word);
    expect(wordOf('error')).toEqual(['isError']);
    expect(wordOf('protocolError')).toEqual(['protocol error']);
  });
});

describe('a run without times', () => {
  const skeleton = skeletonOf([{}, {}, {}]);
  const untimed = {
    ...skeleton,
    startsNs: [null, null, null],
    durationsNs: [null, null, null],
    flags: skeleton.flags.map(() => STEP_FLAGS.noTime),
  };

  it('is drawn by order in the overview, all derived', () => {
    const model = buildRunModel('r', untimed);
    expect(model.span).toBeNull();
    const ordered = modelByOrder(model);
    expect(ordered.skeleton.startsNs).toEqual([0, 1e9, 2e9]);
    expect(new Set(ordered.skeleton.timeEvidence)).toEqual(new Set([3]));
    expect(ordered.span).toEqual({ startNs: 0, endNs: 3e9 });
    expect(modelByOrder(buildRunModel('r', skeletonOf([]))).span).toBeNull();
  });

  it('says which part of a time is not recorded', () => {
    const at = (clock: 'zoned' | 'local' | 'timeOfDay' | 'none', text: string | null) =>
      startedText(
        {
          clock,
          startedAtNs: clock === 'none' ? null : '1767261600000000000',
          startedAtText: text,
        },
        2026,
      );
    expect(at('none', null)).toBe('no times recorded');
    expect(at('local', '2026-01-01 10:00')).toBe('1 Jan 10:00 local time, zone not recorded');
    expect(at('timeOfDay', '10:00:00')).toBe('10:00:00, date not recorded');
  });
});
