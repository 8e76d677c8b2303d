import type { Experiment, RaceMatrix, RaceRow } from '@misstep/model';
import { Chip } from '../../ui/chip.tsx';
import { classNames } from '../../ui/class-names.ts';
import { formatCount } from '../../ui/format-count.ts';
import { formatStepDuration } from '../../ui/format-time.ts';
import { NotRecorded } from '../../ui/not-recorded.tsx';
import { PanelHead } from '../../ui/panel-head.tsx';
import { useCurrentRow } from '../../ui/use-current-row.ts';
import { visibleLine } from '../step-panel/visible-text.ts';
import { Allowed } from './attribution-aside.tsx';
import { CallsSideBySide } from './calls-side-by-side.tsx';
import { cutShortAt, SendOutcome } from './cut-short.tsx';
import styles from './experiment.module.css';
import { HeldStill } from './held-still.tsx';
import { LatencyBars } from './latency-bars.tsx';
import matrixStyles from './matrix.module.css';
import { NotShown } from './outcome-facts.tsx';
import { TwoColumns } from './two-columns.tsx';
import { Verdict } from './verdict.tsx';
import type { ViewProps } from './view-props.ts';

type Line = Pick<RaceRow, 'outcome' | 'callDurationNs'> &
  Partial<RaceRow> & { readonly name: string };

/** Calls at once against the same calls alone: crossed answers, order, errors, latencies. */
export function RaceView(props: ViewProps<RaceMatrix>) {
  const { experiment, matrix } = props;
  const { order } = experiment.plan;
  const isOpen = matrix.rows.length === 0;
  const alone = order.filter(({ round }) => round === 'alone');
  const atOnce = order.filter(({ round }) => round === 'at once');
  const row = (index: number, id: string, label: string, line: Line | undefined) => (
    <Row
      key={label}
      label={label}
      line={line}
      cut={cutShortAt(experiment, (each) => each === id)}
      isCurrent={index === props.cursor}
      onCursor={() => props.onCursor(index)}
    />
  );
  return (
    <TwoColumns label="Comparison">
      <section className={styles.column} aria-label="Calls">
        <div className={styles.scroll}>
          <Verdict
            experiment={experiment}
            sentence={isOpen ? 'Nothing can be told yet.' : matrix.sentence}
          >
            <b>
              {isOpen
                ? 'not known yet'
                : matrix.canSeeCrossing
                  ? `${matrix.crossedCount} crossed`
                  : 'crossing can’t be seen'}
            </b>
            <span>
              {matrix.connections === 'one' ? 'all on one connection' : 'a connection each'}
            </span>
          </Verdict>
          <CallsSideBySide plan={experiment.plan} />
          <table className={matrixStyles.matrix} aria-label="Race">
            <thead>
              <tr>
                <th>Call</th>
                <th>Connection</th>
                <th>Outcome</th>
                <th>Answer came</th>
                <th>Against alone</th>
                <th className={matrixStyles.numeric}>Duration</th>
              </tr>
            </thead>
            <tbody>
              <tr className={matrixStyles.group}>
                <th colSpan={6} scope="rowgroup">
                  Alone <span>what each call answers by itself</span>
                </th>
              </tr>
              {alone.map(({ id, label }, index) => {
                const found = matrix.alone[index];
                return row(
                  index,
                  id,
                  label,
                  found === undefined ? undefined : { name: label, ...found },
                );
              })}
            </tbody>
            <tbody>
              <tr className={matrixStyles.group}>
                <th colSpan={6} scope="rowgroup">
                  At once <span>sent in one turn, when every connection was ready</span>
                </th>
              </tr>
              {atOnce.map(({ id, label }, index) => {
                const found = matrix.rows[index];
                return row(
                  alone.length + index,
                  id,
                  label,
                  found === undefined ? undefined : { name: label, ...found },
                );
              })}
            </tbody>
          </table>
        </div>
      </section>
      <aside className={styles.column} aria-label="Order and latency">
        <div className={styles.scroll}>
          <PanelHead title="Seen" />
          <dl className={styles.facts}>
            <dt>Crossed</dt>
            <dd>
              {isOpen
                ? 'not known yet'
                : matrix.canSeeCrossing
                  ? formatCount(matrix.crossedCount)
                  : 'can’t be seen: the calls answer alike, or all are one call'}
            </dd>
            <dt>Otherwise</dt>
            <dd>{`${formatCount(matrix.differentCount)} not as alone`}</dd>
            <dt>Errors</dt>
            <dd>{formatCount(matrix.errorCount)}</dd>
            <dt>Order</dt>
            <dd>
              {matrix.inOrder === null
                ? 'not known'
                : matrix.inOrder
                  ? 'answers in the order of the calls'
                  : 'answers in another order'}
            </dd>
            <dt>Left out</dt>
            <dd className={styles.mono}>
              {matrix.movingPointers.map(visibleLine).join(', ') || '—'}
            </dd>
          </dl>
          <PanelHead
            title="Latency alone"
            note={
              matrix.medianAloneNs === null
                ? undefined
                : `median ${formatStepDuration(matrix.medianAloneNs)}`
            }
          />
          <LatencyBars
            label="Latency alone"
            durationsNs={matrix.alone.flatMap(({ callDurationNs }) => callDurationNs ?? [])}
          />
          <PanelHead
            title="Latency at once"
            note={
              matrix.medianRacedNs === null
                ? undefined
                : `median ${formatStepDuration(matrix.medianRacedNs)}`
            }
          />
          <LatencyBars
            label="Latency at once"
            durationsNs={matrix.rows.flatMap(({ callDurationNs }) => callDurationNs ?? [])}
          />
          <HeldStill experiment={experiment} />
          <NotShown notShown={matrix.notShown} />
        </div>
        <Allowed experiment={experiment} />
      </aside>
    </TwoColumns>
  );
}

function Row(props: {
  label: string;
  line: Line | undefined;
  cut: Experiment['sends'][number] | null;
  isCurrent: boolean;
  onCursor: () => void;
}) {
  const { line, cut } = props;
  const element = useCurrentRow(props.isCurrent);
  const none = <NotRecorded title={cut === null ? 'not sent yet' : 'no answer came'} />;
  return (
    <tr
      ref={element}
      className={classNames(
        matrixStyles.lowRow,
        line?.crossedWith != null && matrixStyles.finding,
        props.isCurrent && matrixStyles.current,
      )}
      {...(props.isCurrent ? { 'aria-current': true } : {})}
      onClick={props.onCursor}
    >
      <td className={matrixStyles.callCell}>{props.label}</td>
      <td className={styles.mono}>{line === undefined ? none : (line.connection ?? 'its own')}</td>
      <td>
        <SendOutcome outcome={line?.outcome ?? null} cut={cut} />
      </td>
      <td>
        {line?.answerOrder == null ? <NotRecorded title="none" /> : `as number ${line.answerOrder}`}
      </td>
      <td>
        {line?.likeAlone == null ? (
          <NotRecorded title="this can’t be told" />
        ) : line.crossedWith != null ? (
          <Chip icon="swap" tone="inverse">
            {`answer of ${line.crossedWith}`}
          </Chip>
        ) : line.likeAlone ? (
          <Chip icon="equal">as alone</Chip>
        ) : (
          <Chip icon="notEqual">otherwise</Chip>
        )}
      </td>
      <td className={matrixStyles.numeric}>
        {line?.callDurationNs == null ? (
          <NotRecorded title="no answer came" />
        ) : (
          formatStepDuration(line.callDurationNs)
        )}
      </td>
    </tr>
  );
}
