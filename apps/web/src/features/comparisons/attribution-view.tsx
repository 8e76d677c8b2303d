import type { AttributionMatrix } from '@misstep/model';
import { formatCount } from '../../ui/format-count.ts';
import { visibleLine } from '../step-panel/visible-text.ts';
import { AttributionAside } from './attribution-aside.tsx';
import { AttributionTable } from './attribution-table.tsx';
import { BothAnswers } from './both-answers.tsx';
import { CallsSideBySide } from './calls-side-by-side.tsx';
import styles from './experiment.module.css';
import { NamedWords } from './named-words.tsx';
import { runningHead } from './running-words.ts';
import { SendOrder } from './send-order.tsx';
import { SentMarks } from './sent-marks.tsx';
import { SoFar } from './so-far.tsx';
import { tableRows } from './table-rows.ts';
import { TwoColumns } from './two-columns.tsx';
import type { ViewProps } from './view-props.ts';

/** Which argument did it: the verdict, both calls, every combination, the order of the sends. */
export function AttributionView(
  props: ViewProps<AttributionMatrix> & { showsBoth: boolean; onBoth: () => void },
) {
  const { experiment, matrix } = props;
  const { plan, state, sentCount } = experiment;
  const running = runningHead({ state, sentCount, callCount: plan.callCount });
  const row = tableRows(matrix)[props.cursor];
  // Of none that was sent nothing is known, not even that all of them are stable.
  const isStable =
    matrix.refusal === null && matrix.sentCount > 0 && matrix.stableCount === matrix.sentCount;
  const sends = plan.request.kind === 'attribute' ? plan.request.repeats : 0;
  return (
    <TwoColumns label="Comparison">
      <section className={styles.column} aria-label="Verdict and calls">
        <div className={styles.scroll}>
          <div className={styles.verdict}>
            <div className={styles.verdictWords} role={state === 'running' ? undefined : 'status'}>
              <h2>{running ?? <NamedWords words={matrix.headline} />}</h2>
              <p>
                <SoFar running={running} headline={matrix.headline} />
                {state !== 'running' && state !== 'complete' && experiment.reason !== null
                  ? `${visibleLine(experiment.reason)} `
                  : null}
                <NamedWords words={matrix.detail} />
              </p>
            </div>
            <div className={styles.stability}>
              <b>
                <SentMarks planned={3} sent={isStable ? 3 : 0} />
                {`${formatCount(matrix.stableCount)} of ${formatCount(matrix.sentCount)} stable${running === null ? '' : ' so far'}`}
              </b>
              <span>
                {plan.wholeLattice === true
                  ? `all ${matrix.cells.length} combinations, ${sends} sends each`
                  : `${matrix.cells.length} combinations, ${sends} sends each`}
              </span>
            </div>
          </div>
          <CallsSideBySide
            plan={plan}
            notes={{ A: outcomeNote(matrix.outcomeA), B: outcomeNote(matrix.outcomeB) }}
          />
          {props.showsBoth && row !== undefined ? (
            <BothAnswers matrix={matrix} row={row} onClose={props.onBoth} />
          ) : null}
          <AttributionTable
            experiment={experiment}
            matrix={matrix}
            cursor={props.cursor}
            onCursor={props.onCursor}
          />
          <SendOrder experiment={experiment} matrix={matrix} />
        </div>
      </section>
      <AttributionAside experiment={experiment} matrix={matrix} />
    </TwoColumns>
  );
}

function outcomeNote(outcome: string | null): string | null {
  if (outcome === null) return null;
  return /^[0-9a-f]{64}$/.test(outcome) ? outcome.slice(0, 8) : visibleLine(outcome.slice(0, 40));
}
