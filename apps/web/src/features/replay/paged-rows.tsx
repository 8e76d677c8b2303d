import { type Comparison, type Replay, VERDICTS, type Verdict } from '@misstep/model';
import { useState } from 'react';
import { useComparisonRows } from '../../api/replay-account.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format-count.ts';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import styles from './comparison.module.css';
import parts from './comparison-parts.module.css';
import { ComparisonRows } from './comparison-rows.tsx';
import columns from './replay-screen.module.css';
import { RowDetail } from './row-detail.tsx';
import type { ShownVersion } from './shown-versions.ts';

const PAGE_ROWS = 2000;

/** Every row of a comparison that is too large for one list, a page at a time, by verdict. */
export function PagedRows(props: {
  comparison: Comparison;
  replay: Replay;
  versions: readonly ShownVersion[];
  place: string | null;
}) {
  const { comparison, replay } = props;
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [offset, setOffset] = useState(0);
  const [selected, setSelected] = useState(0);
  const page = useComparisonRows(replay.id, { offset, limit: PAGE_ROWS, verdict });
  const rows = page.data?.rows ?? [];
  const total = page.data?.total ?? 0;
  const row = rows[selected];
  const turn = (to: number) => {
    setOffset(to);
    setSelected(0);
  };
  if (page.error !== null) {
    return (
      <ProblemNotice
        error={page.error}
        title="This page of rows can't be shown"
        onRetry={() => void page.refetch()}
      />
    );
  }
  const last = Math.min(offset + rows.length, total);
  return (
    <>
      <div className={parts.pager}>
        <label>
          Rows{' '}
          <select
            value={verdict ?? ''}
            onChange={(event) => {
              setVerdict(VERDICTS.find((each) => each === event.target.value) ?? null);
              turn(0);
            }}
          >
            <option value="">of every verdict</option>
            {VERDICTS.filter((each) => (comparison.counts[each] ?? 0) > 0).map((each) => (
              <option key={each} value={each}>
                {`${each}, ${formatCount(comparison.counts[each] ?? 0)}`}
              </option>
            ))}
          </select>
        </label>
        <span role="status">
          {page.data === undefined
            ? 'Comparing the two results again for this page.'
            : `${formatCount(rows.length === 0 ? 0 : offset + 1)} to ${formatCount(last)} of ${formatCount(total)}`}
        </span>
        <Button small disabled={offset === 0} onClick={() => turn(Math.max(0, offset - PAGE_ROWS))}>
          Previous
        </Button>
        <Button small disabled={last >= total} onClick={() => turn(offset + PAGE_ROWS)}>
          Next
        </Button>
      </div>
      {page.data === undefined ? (
        <div className={columns.spacer} />
      ) : (
        <ComparisonRows
          comparison={comparison}
          rows={rows}
          selected={selected}
          onSelect={setSelected}
          versions={props.versions}
          place={props.place}
        />
      )}
      {row === undefined ? null : (
        <RowDetail
          comparison={comparison}
          row={row}
          order={selected}
          total={rows.length}
          versions={props.versions}
          replay={replay}
        />
      )}
      <p className={styles.foot}>
        In the order of the live answer, all rows counted. Values are shown as received, never
        reformatted.
      </p>
    </>
  );
}
