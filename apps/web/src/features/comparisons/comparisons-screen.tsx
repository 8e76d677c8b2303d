import type { ExperimentSummary } from '@misstep/contract';
import { Link, useNavigate } from '@tanstack/react-router';
import { useExperiments } from '../../api/experiments.ts';
import { useKeys } from '../../state/use-keys.ts';
import { useListCursor } from '../../state/use-list-cursor.ts';
import { useTitle } from '../../state/use-title.ts';
import { classNames } from '../../ui/class-names.ts';
import { countOf, formatCount } from '../../ui/format-count.ts';
import { datePartsOfInstant, formatDateParts } from '../../ui/format-time.ts';
import list from '../../ui/list-screen.module.css';
import { Notice } from '../../ui/notice.tsx';
import { PanelHead } from '../../ui/panel-head.tsx';
import text from '../../ui/text.module.css';
import { useCurrentRow } from '../../ui/use-current-row.ts';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { StatusItem, StatusItems } from '../shell/status-items.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './comparisons-screen.module.css';
import { KIND_WORDS, StateChip } from './experiment-words.tsx';
import { knownSoFar } from './running-words.ts';

/** Every experiment, newest first. A row opens it; nothing here sends anything. */
export function ComparisonsScreen() {
  useTitle('Comparisons');
  const experiments = useExperiments();
  const navigate = useNavigate();
  const rows = experiments.data?.experiments ?? [];
  const cursor = useListCursor(rows.length);
  const current = rows[cursor.at];
  useKeys({
    title: 'Comparisons',
    enabled: rows.length > 0,
    hints: [
      { caps: ['J', 'K'], words: 'move' },
      { caps: ['Enter'], words: 'open' },
    ],
    handlers: {
      j: cursor.next,
      k: cursor.previous,
      enter: () => (current === undefined ? false : void navigate(linkTo(current))),
    },
  });
  return (
    <div className={list.screen}>
      <PanelHead
        level={1}
        title="Comparisons"
        note="several calls by one plan: the same again, one argument at a time, one argument between two values, or many at once"
      />
      {experiments.isError ? (
        <div className={list.place}>
          <ProblemNotice
            title="The comparisons can’t be listed"
            error={experiments.error}
            onRetry={() => void experiments.refetch()}
          />
        </div>
      ) : experiments.data !== undefined && rows.length === 0 ? (
        <Empty />
      ) : (
        <div className={list.scroll}>
          <table className={classNames(list.table, styles.columns)} aria-label="Comparisons">
            <thead>
              <tr>
                <th className={styles.time}>Begun</th>
                <th className={styles.kind}>Question</th>
                <th className={styles.run}>Run</th>
                <th className={styles.step}>Step</th>
                <th className={styles.tool}>Tool</th>
                <th className={styles.sent}>Sent</th>
                <th className={styles.state}>State</th>
                <th>What is known</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((experiment, index) => (
                <ExperimentRow
                  key={experiment.id}
                  experiment={experiment}
                  current={index === cursor.at}
                  onCursor={() => cursor.moveTo(index)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <StatusItems>
        {experiments.data === undefined ? null : (
          <StatusItem>
            {rows.length < experiments.data.total
              ? `the newest ${formatCount(rows.length)} of ${countOf(experiments.data.total, 'comparison')}`
              : countOf(rows.length, 'comparison')}
          </StatusItem>
        )}
      </StatusItems>
    </div>
  );
}

function Empty() {
  return (
    <div className={list.place}>
      <Notice title="Comparisons" note="none yet">
        <span>
          A comparison sends several calls by one plan that you confirm as a whole: the same call
          again (does its answer hold still?), two calls one argument at a time (which argument did
          it?), one argument between two values (where does it change?), or many at once (are
          answers crossed?).
        </span>
        <span className={text.secondary}>
          To begin one, open a <Link to="/runs">run</Link>, choose a tool call, and on its Replay
          screen press “Send 3 times” or “Compare two calls”.
        </span>
      </Notice>
    </div>
  );
}

function linkTo(experiment: ExperimentSummary) {
  return {
    to: '/comparisons/$experimentId',
    params: { experimentId: experiment.id },
  } as const;
}

function ExperimentRow(props: {
  experiment: ExperimentSummary;
  current: boolean;
  onCursor: () => void;
}) {
  const { experiment } = props;
  const row = useCurrentRow(props.current);
  const begun = new Date(experiment.startedAt);
  return (
    <tr
      ref={row}
      className={classNames(props.current && list.current)}
      {...(props.current ? { 'aria-current': true } : {})}
      onClick={props.onCursor}
    >
      <td className={text.secondary} title={begun.toLocaleString()}>
        {formatDateParts(datePartsOfInstant(begun.getTime()), new Date().getFullYear())}
      </td>
      <td>
        <Link {...linkTo(experiment)} className={list.link}>
          {KIND_WORDS[experiment.kind]}
        </Link>
      </td>
      <td title={visibleLine(experiment.runTitle)}>{visibleLine(experiment.runTitle)}</td>
      <td>step {experiment.stepSeq}</td>
      <td className={list.mono} title={visibleLine(experiment.tool)}>
        {visibleLine(experiment.tool)}
      </td>
      <td>{`${formatCount(experiment.sentCount)} of ${formatCount(experiment.callCount)}`}</td>
      <td>
        <StateChip state={experiment.state} />
      </td>
      <td title={visibleLine(experiment.reason ?? experiment.sentence)}>
        {visibleLine(knownSoFar(experiment))}
      </td>
    </tr>
  );
}
