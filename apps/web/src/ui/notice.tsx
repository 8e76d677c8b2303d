import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-shapes.ts';
import styles from './notice.module.css';

/**
 * A bordered block with a head and words: an empty place, a refusal, an error. Crimson only when
 * `tone` is error. Next steps are buttons among the children.
 */
export function Notice(props: {
  title: ReactNode;
  note?: ReactNode;
  icon?: IconName;
  tone?: 'plain' | 'error' | 'warning';
  children: ReactNode;
}) {
  return (
    <section className={styles.notice} {...(props.tone === 'error' ? { role: 'alert' } : {})}>
      <div className={styles.head}>
        {props.icon === undefined ? null : (
          <span className={props.tone === undefined ? undefined : styles[props.tone]}>
            <Icon name={props.icon} />
          </span>
        )}
        <h2 className={styles.title}>{props.title}</h2>
        {props.note === undefined ? null : <span className={styles.note}>{props.note}</span>}
      </div>
      <div className={styles.body}>{props.children}</div>
    </section>
  );
}
