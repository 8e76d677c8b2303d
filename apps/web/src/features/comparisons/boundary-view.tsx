import { type BoundaryMatrix, type BoundaryRow, isWholeHash, shortHash } from '@misstep/model';
import { classNames } from '../../ui/class-names.ts';
import { countOf, formatCount } from '../../ui/format-count.ts';
import { formatStepDuration } from '../../ui/format-time.ts';
import { NotRecorded } from '../../ui/not-recorded.tsx';
import { PanelHead } from '../../ui/panel-head.tsx';
import { useCurrentRow } from '../../ui/use-current-row.ts';
import { visibleLine } from '../step-panel/visible-text.ts';
import { Allowed } from './attribution-aside.tsx';
import styles from './boundary.module.css';
import { CallsSideBySide } from './calls-side-by-side.tsx';
import experimentStyles from './experiment.module.css';
import { HeldStill } from './held-still.tsx';
import matrixStyles from './matrix.module.css';
import { NamedWords } from './named-words.tsx';
import { NotShown, OutcomeFacts } from './outcome-facts.tsx';
import { runningHead } from './running-words.ts';
import { SentMarks } from './sent-marks.tsx';
import { SoFar } from './so-far.tsx';
import { TwoColumns } from './two-columns.tsx';
import type { ViewProps } from './view-props.ts';

const ROUND_WORDS: Readonly<Record<BoundaryRow['round'], string>> = {
  check: 'an end',
  halving: 'halfway',
  'once more': 'a neighbour',
  elsewhere: 'widest gap',
};

/** One argument from A's value to B's: the values tried in their order, and where the outcome changes. */
export function BoundaryView(props: ViewProps<BoundaryMatrix>) {
  const { experiment, matrix } = props;
  const { state, reason, sentCount, plan } = experiment;
  const running = runningHead({ state, sentCount, callCount: plan.callCount });
  const outcomes = [...new Set(matrix.rows.flatMap(({ signature }) => signature ?? []))];
  return (
    <TwoColumns label="Comparison">
      <section className={experimentStyles.column} aria-label="Verdict and values">
        <div className={experimentStyles.scroll}>
          <div className={experimentStyles.verdict}>
            <div
              className={experimentStyles.verdictWords}
              role={state === 'running' ? undefined : 'status'}
            >
              <h2>{running ?? <NamedWords words={matrix.headline} />}</h2>
              <p>
                <SoFar running={running} headline={matrix.headline} />
                {state !== 'running' && state !== 'complete' && reason !== null
                  ? `${visibleLine(reason)} `
                  : null}
                <NamedWords words={matrix.detail} />
              </p>
            </div>
            <div className={experimentStyles.stability}>
              <b>{`${formatCount(matrix.stableCount)} of ${countOf(matrix.sentCount, 'send')} held`}</b>
              <span>{heldWords(matrix)}</span>
            </div>
          </div>
          <CallsSideBySide plan={experiment.plan} />
          <table className={matrixStyles.matrix} aria-label="Values tried">
            <thead>
              <tr>
                <th className={matrixStyles.argumentHead}>{visibleLine(matrix.argument)}</th>
                <th>From A to B</th>
                <th title={matrix.signature}>Outcome</th>
                <th>Tried as</th>
                <th>Sends</th>
                <th className={matrixStyles.numeric}>Median</th>
              </tr>
            </thead>
            <tbody>
              {matrix.rows.map((row, index) => (
                <Row
                  key={`${row.share} ${row.value}`}
                  row={row}
                  end={index === 0 ? 'A' : index === matrix.rows.length - 1 ? 'B' : null}
                  isAfterChange={index > 0 && matrix.rows[index - 1]?.signature !== row.signature}
                  level={row.signature === null ? null : outcomes.indexOf(row.signature)}
                  isCurrent={index === props.cursor}
                  onCursor={() => props.onCursor(index)}
                />
              ))}
            </tbody>
          </table>
        </div>
      </section>
      <aside className={experimentStyles.column} aria-label="Outcomes">
        <div className={experimentStyles.scroll}>
          <PanelHead
            title="Changes found"
            note={`${countOf(matrix.outcomeCount, 'outcome')} among ${countOf(matrix.rows.length, 'value')}`}
          />
          {matrix.changes.map((change) => (
            <div key={`${change.from} ${change.to}`} className={experimentStyles.signature}>
              <span className={experimentStyles.signatureName}>
                {`${visibleLine(change.from)} → ${visibleLine(change.to)}`}
              </span>
              <div className={experimentStyles.secondary}>
                {change.areNeighbours
                  ? 'neighbours: no value stands between'
                  : 'values between were not tried'}
              </div>
            </div>
          ))}
          <dl className={experimentStyles.facts}>
            <dt>Between</dt>
            <dd>{`${matrix.valuesBetween} ${matrix.valuesBetween === '1' ? 'value' : 'values'}, ${matrix.step} apart`}</dd>
            <dt>Tried</dt>
            <dd>{countOf(matrix.rows.length, 'value')}</dd>
          </dl>
          <OutcomeFacts matrix={matrix} />
          <HeldStill experiment={experiment} />
          <NotShown notShown={matrix.notShown} />
        </div>
        <Allowed experiment={experiment} />
      </aside>
    </TwoColumns>
  );
}

function Row(props: {
  row: BoundaryRow;
  end: 'A' | 'B' | null;
  isAfterChange: boolean;
  level: number | null;
  isCurrent: boolean;
  onCursor: () => void;
}) {
  const { row } = props;
  const element = useCurrentRow(props.isCurrent);
  return (
    <tr
      ref={element}
      className={classNames(
        matrixStyles.lowRow,
        props.isAfterChange && styles.afterChange,
        props.isCurrent && matrixStyles.current,
      )}
      {...(props.isCurrent ? { 'aria-current': true } : {})}
      onClick={props.onCursor}
    >
      <td className={classNames(experimentStyles.mono, styles.value)}>{visibleLine(row.value)}</td>
      <td>
        <span className={styles.way} aria-hidden="true">
          <i
            data-filled={props.level === 0 ? 'no' : 'yes'}
            style={{ insetInlineStart: `${row.share * 100}%` }}
          />
        </span>
      </td>
      <td className={experimentStyles.mono}>
        {row.signature === null ? 'not stable' : outcomeWords(row.signature)}
      </td>
      <td className={experimentStyles.secondary}>
        {props.end === null ? ROUND_WORDS[row.round] : `call ${props.end}’s value`}
      </td>
      <td>
        <span className={matrixStyles.repeats}>
          <SentMarks planned={row.sends.length} sent={row.sends.length} />
          <span className={matrixStyles.small}>{formatCount(row.sends.length)}</span>
        </span>
      </td>
      <td className={matrixStyles.numeric}>
        {row.medianNs === null ? (
          <NotRecorded title="no answer came" />
        ) : (
          formatStepDuration(row.medianNs)
        )}
      </td>
    </tr>
  );
}

/** A value sent once shows no drift; that is said only where there is one. */
function heldWords({ rows }: BoundaryMatrix): string {
  const once = rows.filter(({ sends }) => sends.length === 1).length;
  if (once === 0) return 'every value was sent twice';
  return `sent twice and the same; ${countOf(once, 'value')} sent once ${once === 1 ? 'shows' : 'show'} no drift`;
}

function outcomeWords(signature: string): string {
  return isWholeHash(signature) ? shortHash(signature) : visibleLine(signature);
}
