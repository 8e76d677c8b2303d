import type { Experiment } from '@misstep/model';
import type { ReactNode } from 'react';
import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './experiment.module.css';
import { runningHead } from './running-words.ts';

/** The sentence first; under it why it ended before its end, where it did. */
export function Verdict(props: { experiment: Experiment; sentence: string; children?: ReactNode }) {
  const { state, reason, sentCount, plan } = props.experiment;
  const running = runningHead({ state, sentCount, callCount: plan.callCount });
  const early = state === 'stopped' || state === 'interrupted' || state === 'failed';
  return (
    <div className={styles.verdict}>
      <div className={styles.verdictWords}>
        <h2>{running ?? visibleLine(props.sentence)}</h2>
        <p>
          {early
            ? `Ended after ${sentCount} of ${plan.callCount} calls. ${visibleLine(reason ?? '')}`
            : running !== null
              ? `So far: ${visibleLine(props.sentence)} The calls to come may change it.`
              : 'Here and today: what the server holds may change.'}
        </p>
      </div>
      <div className={styles.stability}>{props.children}</div>
    </div>
  );
}
