import type { ReceiptAccount, routes, StepDetail, WireJoin } from '@misstep/contract';
import type { Comparison, Replay } from '@misstep/model';
import { useMemo, useState } from 'react';
import type { z } from 'zod';
import { useKeepRules } from '../../api/replay-account.ts';
import { useWire } from '../../api/wire.ts';
import { useKeys } from '../../state/use-keys.ts';
import { formatCount } from '../../ui/format-count.ts';
import { Segment } from '../../ui/segment.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './comparison.module.css';
import { ComparisonRows } from './comparison-rows.tsx';
import { IgnoreChips } from './ignore-chips.tsx';
import { PagedRows } from './paged-rows.tsx';
import { ReceiptPanel } from './receipt-panel.tsx';
import { RowDetail } from './row-detail.tsx';
import { commonPlace, ignorePatternOf, shownVersions } from './shown-versions.ts';
import { TextDifferenceView } from './text-difference-view.tsx';
import { VersionSizes } from './version-sizes.tsx';

type View = 'values' | 'text' | 'receipt';

/** The rows by value, the two texts line by line, or the receipt; and what is left out of the rows. */
export function ComparisonViews(props: {
  comparison: Comparison;
  ruled: z.output<typeof routes.getComparison.response> | undefined;
  replay: Replay;
  account: ReceiptAccount | undefined;
  step: StepDetail;
  note: string;
  /** Index among all rows of the comparison. */
  selected: number;
  onSelect: (row: number) => void;
}) {
  const { comparison, replay, selected, onSelect } = props;
  const [view, setView] = useState<View>('values');
  const [shows, setShows] = useState<'all' | 'differences' | 'pages'>('all');
  const keep = useKeepRules(replay);
  const all = useMemo(() => comparison.rows.map((_row, at) => at), [comparison]);
  const differing = useMemo(
    () =>
      all.filter((at) => {
        const row = comparison.rows[at];
        return row !== undefined && row.verdict !== 'same' && row.ignoredBy === undefined;
      }),
    [all, comparison],
  );
  const shown = shows === 'differences' ? differing : all;
  const position = shown.indexOf(selected);
  const rows = useMemo(() => shown.flatMap((at) => comparison.rows[at] ?? []), [shown, comparison]);
  const row = comparison.rows[selected];
  const move = (distance: number) => {
    const next = shown[Math.max(0, Math.min(shown.length - 1, position + distance))];
    if (next !== undefined) onSelect(next);
  };
  const rules = props.ruled?.rules ?? [];
  const ignore = () => {
    if (row === undefined || props.ruled === undefined || keep.isPending) return;
    const taken = row.ignoredBy;
    if (taken !== undefined) keep.mutate(rules.filter((rule) => rule !== taken));
    else if (row.verdict !== 'same' && row.pointer !== '') {
      keep.mutate([...rules, ignorePatternOf(row.pointer)]);
    }
  };
  useKeys({
    title: 'Comparison',
    // Said by the screen, so that the status bar holds all of its keys.
    hints: [],
    handlers: {
      j: () => move(1),
      k: () => move(-1),
      i: ignore,
      v: () => {
        const next = differing.find((at) => at > selected) ?? differing[0];
        if (next !== undefined) onSelect(next);
      },
    },
  });
  const grade = props.step.result?.evidence ?? props.step.evidence;
  const wireNote = wireNoteOf(useWire(props.step.runId).data, props.step);
  const versions = shownVersions(comparison, grade, props.note, wireNote);
  const place = commonPlace(comparison.rows);
  return (
    <>
      <div className={styles.toolbar}>
        <Segment
          label="Rows shown"
          small
          options={[
            {
              value: 'all',
              label: `${comparison.rowsOmitted === 0 ? 'All' : 'First'} ${formatCount(all.length)}`,
            },
            { value: 'differences', label: `Differences ${formatCount(differing.length)}` },
            ...(comparison.rowsOmitted === 0
              ? []
              : [
                  {
                    value: 'pages',
                    label: `Pages of ${formatCount(all.length + comparison.rowsOmitted)}`,
                  } as const,
                ]),
          ]}
          value={shows}
          onChange={setShows}
        />
        <Segment
          label="Comparison as"
          small
          options={[
            { value: 'values', label: 'By value' },
            { value: 'text', label: 'Text diff' },
            { value: 'receipt', label: 'Receipt' },
          ]}
          value={view}
          onChange={setView}
        />
        <IgnoreChips replay={replay} comparison={comparison} ruled={props.ruled} keep={keep} />
      </div>
      {view === 'text' ? <TextDifferenceView replayId={replay.id} /> : null}
      {view === 'receipt' ? <ReceiptPanel account={props.account} replayId={replay.id} /> : null}
      {view === 'values' && shows === 'pages' ? (
        <>
          <VersionSizes comparison={comparison} versions={versions} />
          <PagedRows comparison={comparison} replay={replay} versions={versions} place={place} />
        </>
      ) : null}
      {view === 'values' && shows !== 'pages' ? (
        <>
          <VersionSizes comparison={comparison} versions={versions} />
          <ComparisonRows
            comparison={comparison}
            rows={rows}
            selected={position}
            onSelect={(at) => onSelect(shown[at] ?? 0)}
            versions={versions}
            place={place}
          />
          {row === undefined || position < 0 ? null : (
            <RowDetail
              comparison={comparison}
              row={row}
              order={position}
              total={rows.length}
              versions={versions}
              replay={replay}
            />
          )}
          <p className={styles.foot}>
            {`${formatCount(rows.length)} of ${formatCount(all.length + comparison.rowsOmitted)} shown. `}
            {place === null ? null : (
              <>
                <code>/…</code> stands for <code>{place}</code>.{' '}
              </>
            )}
            {comparison.rowsOmitted === 0 ? null : 'What differs goes first; Pages has every row. '}
            Values are shown as received, never reformatted.
            {comparison.readings.length === 0
              ? null
              : ` Read as: ${comparison.readings.join('; ')}.`}
          </p>
        </>
      ) : null}
    </>
  );
}

/** Which call of which recording the wire's column is of, where a person joined one. */
function wireNoteOf(join: WireJoin | undefined, step: StepDetail): string | undefined {
  const call = join?.calls.find(({ stepId }) => stepId === step.id);
  if (call?.wire == null) return undefined;
  const title = visibleLine(join?.wireRun?.title ?? '');
  return `step ${call.wire.seq} of ${title}, paired by ${call.by === 'order' ? 'order alone' : 'arguments'}`;
}
