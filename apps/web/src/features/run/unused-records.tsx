import { routes } from '@misstep/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { runKeys } from '../../api/runs.ts';
import { Button } from '../../ui/button.tsx';
import { countOf, formatBytes, formatCount } from '../../ui/format-count.ts';
import { PanelHead } from '../../ui/panel-head.tsx';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { VisibleText } from '../step-panel/visible-text-view.tsx';
import styles from './unread-records.module.css';

const PAGE = 50;

/** Records that were kept but not read, with their bytes as text. */
export function UnreadRecords(props: { runId: string; onClose: () => void }) {
  const { runId } = props;
  const pages = useInfiniteQuery({
    queryKey: [...runKeys.run(runId), 'unread'],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      api(routes.listUnread, {
        params: { runId },
        query: { offset: pageParam, limit: PAGE },
        signal,
      }),
    getNextPageParam: (last, all) => {
      const shown = all.reduce((sum, page) => sum + page.records.length, 0);
      return shown < last.total && last.records.length > 0 ? shown : undefined;
    },
  });
  const records = pages.data?.pages.flatMap((page) => page.records) ?? [];
  const total = pages.data?.pages[0]?.total ?? 0;
  return (
    <aside className={styles.panel} aria-label="Records not understood">
      <PanelHead title="Records not understood" note="kept as raw text, counted in every total">
        <Button small kind="quiet" onClick={props.onClose}>
          Back to the step
        </Button>
      </PanelHead>
      <div className={styles.list} tabIndex={0} role="region" aria-label="List of records">
        {pages.error === null ? null : (
          <ProblemNotice error={pages.error} title="The records can't be shown" />
        )}
        {records.map((record) => (
          <article key={`${record.sha256}-${record.offset}`} className={styles.record}>
            <h3>
              {record.state === 'malformed' ? 'malformed' : 'not understood'}
              <span>
                {`bytes ${formatCount(record.offset)} to ${formatCount(record.offset + record.length)} of ${record.sha256.slice(0, 12)}`}
              </span>
            </h3>
            <p>{record.reason}</p>
            <pre>
              <VisibleText text={record.text} />
            </pre>
            {record.omittedBytes > 0 ? (
              <p>{`${formatBytes(record.omittedBytes)} more in the source, not shown here`}</p>
            ) : null}
          </article>
        ))}
        <footer className={styles.foot}>
          {pages.data === undefined
            ? null
            : `${formatCount(records.length)} of ${countOf(total, 'record')}`}
          {pages.hasNextPage ? (
            <Button small onClick={() => void pages.fetchNextPage()}>
              {`Show ${Math.min(PAGE, total - records.length)} more`}
            </Button>
          ) : null}
        </footer>
      </div>
    </aside>
  );
}
