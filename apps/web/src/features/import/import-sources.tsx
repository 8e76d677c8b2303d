import type { ImportRow, ImportState, SourceFate } from '@misstep/contract';
import { useState } from 'react';
import { sourceCount, useFormats, useImportSources } from '../../api/imports.ts';
import { Button } from '../../ui/button.tsx';
import { countOf, formatCount } from '../../ui/format-count.ts';
import { Segment } from '../../ui/segment.tsx';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import styles from './import-sources.module.css';
import { FATE_ORDER, FATE_WORDS } from './import-words.ts';
import { type SourceDetail, SourceRow } from './source-row.tsx';

const PAGE = 100;

/** What became of each source of one import, those packed in archives too. */
export function ImportSources(props: {
  id: string;
  state: ImportState;
  initialFate: SourceFate | null;
  onClose: () => void;
}) {
  const { state } = props;
  const { fates } = state.summary;
  const [fate, setFate] = useState<SourceFate | null>(props.initialFate);
  const [open, setOpen] = useState<{ key: string; detail: SourceDetail } | null>(null);
  const pages = useImportSources(state, fate);
  const formats = useFormats();
  const rows = pages.data?.pages.flatMap((page) => page.rows) ?? [];
  const total = pages.data?.pages[0]?.total ?? 0;
  const titleOf = (format: string | null) =>
    formats.data?.find(({ id }) => id === format)?.title ?? format ?? '';
  return (
    <section id={props.id} aria-label={`Sources of ${state.name}`} className={styles.panel}>
      <div className={styles.bar}>
        <Segment
          label="Which sources"
          small
          options={[
            { value: 'all', label: `All ${formatCount(sourceCount(state))}` },
            ...FATE_ORDER.filter((each) => fates[each] > 0 || each === fate).map((each) => ({
              value: each,
              label: `${formatCount(fates[each])} ${FATE_WORDS[each]}`,
            })),
          ]}
          value={fate ?? 'all'}
          onChange={(value) => setFate(value === 'all' ? null : value)}
        />
        <span className={styles.filler} />
        <Button small kind="quiet" onClick={props.onClose}>
          Close
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys. */}
      <section className={styles.scroll} tabIndex={0} aria-label="List of sources">
        {pages.error === null ? null : (
          <ProblemNotice
            error={pages.error}
            title="The sources can’t be listed"
            onRetry={() => void pages.refetch()}
          />
        )}
        <table className={styles.table}>
          <colgroup>
            <col className={styles.pathColumn} />
            <col />
            <col className={styles.formatColumn} />
            <col className={styles.countColumn} />
            <col className={styles.countColumn} />
            <col className={styles.countColumn} />
            <col className={styles.countColumn} />
            <col className={styles.notesColumn} />
          </colgroup>
          <thead>
            <tr>
              <th>Source</th>
              <th>What became of it</th>
              <th>Format</th>
              <th className={styles.number} title="Records that the run was read from">
                Understood
              </th>
              <th
                className={styles.number}
                title="Records that are known, and left out with a reason"
              >
                Set aside
              </th>
              <th className={styles.number} title="Records that nobody knows the meaning of">
                Unknown
              </th>
              <th className={styles.number} title="Records that are damaged">
                Malformed
              </th>
              <th>Notes</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => {
              // The same path may be given twice.
              const key = `${row.path} ${index}`;
              return (
                <SourceRow
                  key={key}
                  row={row}
                  formatTitle={
                    row.partCount !== null && row.format === null
                      ? 'several formats'
                      : titleOf(row.format)
                  }
                  shown={open?.key === key ? open.detail : null}
                  onShow={(detail) =>
                    setOpen(open?.key === key && open.detail === detail ? null : { key, detail })
                  }
                />
              );
            })}
          </tbody>
        </table>
        <div className={styles.foot}>
          <span>{footWords(rows, total, pages.isLoading)}</span>
          {pages.hasNextPage ? (
            <Button
              small
              unavailable={pages.isFetchingNextPage}
              onClick={() => void pages.fetchNextPage()}
            >
              {`Show ${formatCount(Math.min(PAGE, total - rows.length))} more`}
            </Button>
          ) : null}
        </div>
      </section>
    </section>
  );
}

function footWords(rows: readonly ImportRow[], total: number, isLoading: boolean): string {
  if (isLoading) return '';
  if (total === 0) return 'There are no such sources.';
  return `${formatCount(rows.length)} of ${countOf(total, 'line')}`;
}
