import type { ReactNode } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { VisibleText } from '../step-panel/visible-text-view.tsx';
import styles from './external-mark-entry.module.css';
import type { ExternalMark } from './external-marks.ts';

/** A judgement that came with the file, whole and in its own words; never drawn as the mark. */
export function ExternalMarkEntry(props: { mark: ExternalMark; children?: ReactNode }) {
  const { by, placeText, agent, category, reason } = props.mark;
  const facts = [placeText, agent, category].filter((fact) => fact !== null && fact !== '');
  return (
    <section className={styles.entry} aria-label={`External mark of ${by}`}>
      <Icon name="note" />
      <div className={styles.words}>
        <div className={styles.line}>
          <b>External mark</b>
          <span className={styles.facts}>
            <VisibleText text={[by, ...facts].join(', ')} />
          </span>
          {props.children}
        </div>
        <p className={styles.reason} tabIndex={0}>
          {reason === '' ? (
            <span className={styles.facts}>The file gives no reason.</span>
          ) : (
            <VisibleText text={reason} />
          )}
        </p>
      </div>
    </section>
  );
}
