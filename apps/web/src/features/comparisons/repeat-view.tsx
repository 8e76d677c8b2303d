import type { Experiment, RepeatMatrix } from '@misstep/model';
import { classNames } from '../../ui/class-names.ts';
import { countOf, formatCount } from '../../ui/format-count.ts';
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

/** The same call again and again: are the bytes the same, and which pointers move? */
export function RepeatView(props: ViewProps<RepeatMatrix>) {
  const { experiment, matrix } = props;
  const planned = experiment.plan.order;
  return (
    <TwoColumns label="Comparison">
      <section className={styles.column} aria-label="Calls">
        <div className={styles.scroll}>
          <Verdict experiment={experiment} sentence={matrix.sentence}>
            {matrix.sameBytes === null || experiment.state === 'running' ? null : (
              <b>{matrix.sameBytes ? 'same bytes' : 'not the same bytes'}</b>
            )}
          </Verdict>
          <CallsSideBySide plan={experiment.plan} />
          <table className={matrixStyles.matrix} aria-label="Repeats">
            <thead>
              <tr>
                <th>Call</th>
                <th>Outcome</th>
                <th>Bytes</th>
                <th className={matrixStyles.numeric}>Duration</th>
              </tr>
            </thead>
            <tbody>
              {planned.map(({ id }, index) => (
                <Row
                  key={id}
                  index={index}
                  row={matrix.rows[index]}
                  cut={cutShortAt(experiment, (each) => each === id)}
                  isCurrent={index === props.cursor}
                  onCursor={() => props.onCursor(index)}
                />
              ))}
            </tbody>
          </table>
        </div>
      </section>
      <aside className={styles.column} aria-label="What moves">
        <div className={styles.scroll}>
          <PanelHead
            title="Pointers that move"
            note={
              matrix.sameBytes === null
                ? 'not known yet'
                : countOf(matrix.movingPointers.length + matrix.movingPointersOmitted, 'pointer')
            }
          />
          {matrix.moves.map(({ pointer, values }) => (
            <div key={pointer} className={styles.signature}>
              <span className={styles.signatureName}>{visibleLine(pointer || '(root)')}</span>
              <div className={classNames(styles.secondary, styles.mono)}>
                {values.map(visibleLine).join('  ·  ')}
              </div>
            </div>
          ))}
          {matrix.movingPointers.length > matrix.moves.length ? (
            <p className={styles.note}>
              {`${formatCount(matrix.movingPointers.length + matrix.movingPointersOmitted - matrix.moves.length)} more in the saved file`}
            </p>
          ) : null}
          {matrix.sameBytes === true ? (
            <p className={styles.note}>None: every answer is the same, byte for byte.</p>
          ) : null}
          <PanelHead
            title="Latency"
            note={
              matrix.medianNs === null ? undefined : `median ${formatStepDuration(matrix.medianNs)}`
            }
          />
          <LatencyBars
            label="Latency"
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
  index: number;
  row: RepeatMatrix['rows'][number] | undefined;
  cut: Experiment['sends'][number] | null;
  isCurrent: boolean;
  onCursor: () => void;
}) {
  const { row, index, cut } = props;
  const none = <NotRecorded title={cut === null ? 'not sent yet' : 'no answer came'} />;
  const element = useCurrentRow(props.isCurrent);
  return (
    <tr
      ref={element}
      className={classNames(matrixStyles.lowRow, props.isCurrent && matrixStyles.current)}
      {...(props.isCurrent ? { 'aria-current': true } : {})}
      onClick={props.onCursor}
    >
      <td className={matrixStyles.callCell}>{`call ${index + 1}`}</td>
      <td>
        <SendOutcome outcome={row?.outcome ?? null} cut={cut} />
      </td>
      <td>
        {row === undefined
          ? none
          : row.sameBytesAs === index + 1
            ? index === 0
              ? 'the first'
              : 'new'
            : `same as call ${row.sameBytesAs}`}
      </td>
      <td className={matrixStyles.numeric}>
        {row === undefined || row.callDurationNs === null ? (
          <NotRecorded title="no answer came" />
        ) : (
          formatStepDuration(row.callDurationNs)
        )}
      </td>
    </tr>
  );
}
