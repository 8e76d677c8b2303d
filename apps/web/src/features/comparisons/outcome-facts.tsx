import type { AttributionMatrix } from '@misstep/model';
import type { ReactNode } from 'react';
import { countOf, formatCount } from '../../ui/format-count.ts';
import { Icon } from '../../ui/icon.tsx';
import { PanelHead } from '../../ui/panel-head.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './experiment.module.css';

/** By what two outcomes were called the same. */
export function OutcomeFacts(props: {
  matrix: Pick<
    AttributionMatrix,
    'signature' | 'excludedPointers' | 'ignoredPointers' | 'errorCount' | 'sentCount'
  >;
}) {
  const { matrix } = props;
  const leftOut = [...matrix.excludedPointers, ...matrix.ignoredPointers];
  return (
    <>
      <PanelHead title="How outcomes are compared" />
      <dl className={styles.facts}>
        <dt>Counted</dt>
        <dd>{visibleLine(matrix.signature)}</dd>
        <dt>Left out</dt>
        {leftOut.length === 0 ? (
          <dd>nothing</dd>
        ) : (
          <dd className={styles.mono}>{leftOut.map(visibleLine).join(', ')}</dd>
        )}
        <dt>Numbers</dt>
        <dd>compared as written, not as floats</dd>
        <dt>Errors</dt>
        <dd>{`${formatCount(matrix.errorCount)} of ${countOf(matrix.sentCount, 'send')}`}</dd>
      </dl>
    </>
  );
}

/** What the calls leave open, always said; `children` are further points. */
export function NotShown(props: { notShown: readonly string[]; children?: ReactNode }) {
  return (
    <>
      <PanelHead title="What this does not show" />
      <ul className={styles.open}>
        {props.notShown.map((each) => (
          <li key={each}>
            <Icon name="unknown" />
            <span>{visibleLine(each)}</span>
          </li>
        ))}
        {props.children}
      </ul>
    </>
  );
}
