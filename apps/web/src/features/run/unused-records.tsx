import { type RunDetail, routes } from '@misstep/contract';
import type { UnusedState } from '@misstep/model';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { runKeys } from '../../api/runs.ts';
import { Button } from '../../ui/button.tsx';
import { countOf, formatCount } from '../../ui/format-count.ts';
import { Segment } from '../../ui/segment.tsx';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import list from './panel-list.module.css';
import { accountSentence, recordsOf } from './record-words.ts';
import { RunPanel } from './run-panel.tsx';
import { UnusedGroups } from './unused-groups.tsx';
import { UnusedRecord } from './unused-record.tsx';
import styles from './unused-records.module.css';

const PAGE = 50;

/** Which records are listed; a reason always comes with its state. */
export interface RecordFilter {
  readonly state: UnusedState | null;
  readonly reason: string | null;
}

const STATES = [
  { value: 'all', label: 'All' },
  { value: 'setAside', label: 'Set aside' },
  { value: 'notUnderstood', label: 'Not understood' },
  { value: 'malformed', label: 'Malformed' },
] as const;

/** Records that give the run nothing, by why, with their bytes as text. */
export function UnusedRecords(props: { run: RunDetail; onClose: () => void }) {
  const { run } = props;
  const counts = recordsOf(run);
  const [filter, setFilter] = useState<RecordFilter>({ state: null, reason: null });
  const pages = useUnused(run.id, filter);
  const records = pages.data?.pages.flatMap((page) => page.records) ?? [];
  const first = pages.data?.pages[0];
  const total = first?.total ?? 0;
  const listed = (first?.groups ?? []).filter(({ state }) => isIn(filter.state, state));
  const beyond = listed.reduce((sum, group) => sum + group.count - group.listed, 0);
  return (
    <RunPanel
      title="Records"
      note="those that the run uses nothing of"
      className={styles.panel}
      onClose={props.onClose}
    >
      <div className={styles.filter}>
        <p>{`${accountSentence(counts)}.`}</p>
        {counts.setAside === null ? (
          <p>
            An earlier version of Misstep read this source and counted what it set aside as
            understood. Import the source again to tell them apart.
          </p>
        ) : null}
        <Segment
          label="Which records"
          small
          options={STATES}
          value={filter.state ?? 'all'}
          onChange={(value) => setFilter({ state: value === 'all' ? null : value, reason: null })}
        />
      </div>
      <div className={list.list} tabIndex={0} role="region" aria-label="List of records">
        {pages.error === null ? null : (
          <ProblemNotice error={pages.error} title="The records can't be shown" />
        )}
        <UnusedGroups
          groups={listed}
          omitted={first?.groupsOmitted ?? 0}
          filter={filter}
          onFilter={setFilter}
        />
        {records.map((record, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one line may hold several records, and their order never changes.
          <UnusedRecord key={`${record.sha256} ${record.offset} ${index}`} record={record} />
        ))}
        <footer className={list.foot}>
          {first === undefined
            ? null
            : total === 0
              ? 'There are no such records.'
              : `${formatCount(records.length)} of ${countOf(total, 'record')}`}
          {beyond > 0 && filter.reason === null
            ? `, ${formatCount(beyond)} more are counted and not listed`
            : null}
          {pages.hasNextPage ? (
            <Button small onClick={() => void pages.fetchNextPage()}>
              {`Show ${Math.min(PAGE, total - records.length)} more`}
            </Button>
          ) : null}
        </footer>
      </div>
    </RunPanel>
  );
}

function isIn(wanted: UnusedState | null, state: UnusedState): boolean {
  return wanted === null || wanted === state;
}

function useUnused(runId: RunDetail['id'], { state, reason }: RecordFilter) {
  return useInfiniteQuery({
    queryKey: [...runKeys.run(runId), 'unused', state, reason],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      api(routes.listUnused, {
        params: { runId },
        query: {
          offset: pageParam,
          limit: PAGE,
          ...(state === null ? {} : { state }),
          ...(reason === null ? {} : { reason }),
        },
        signal,
      }),
    getNextPageParam: (last, all) => {
      const shown = all.reduce((sum, page) => sum + page.records.length, 0);
      return shown < last.total && last.records.length > 0 ? shown : undefined;
    },
  });
}
