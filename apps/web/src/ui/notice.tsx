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
  /** Level of the heading; 1 where the notice is all there is on the page. */
  level?: 1 | 2;
  children: ReactNode;
}) {
  const Heading = props.level === 1 ? 'h1' : 'h2';
  return (
    <section className={styles.notice} {...(props.tone === 'error' ? { role: 'alert' } : {})}>
      <div className={styles.head}>
        {props.icon === undefined ? null : (
          <span className={props.tone === undefined ? undefined : styles[props.tone]}>
            <Icon name={props.icon} />
          </span>
        )}
        <Heading className={styles.title}>{props.title}</Heading>
        {props.note === undefined ? null : <span className={styles.note}>{props.note}</span>}
      </div>
      <div className={styles.body}>{props.children}</div>
    </section>
  );
}
