import type { ReactNode } from 'react';
import styles from './panel-head.module.css';

/** The 28 px head of a panel: title, a note in label colour, and what stands at the right. */
export function PanelHead(props: {
  title: ReactNode;
  note?: ReactNode;
  children?: ReactNode;
  id?: string;
  level?: 1 | 2 | 3;
}) {
  const Heading = props.level === 1 ? 'h1' : props.level === 3 ? 'h3' : 'h2';
  return (
    <div className={styles.head}>
      <Heading id={props.id} className={styles.title}>
        {props.title}
      </Heading>
      {props.note === undefined ? null : <span className={styles.note}>{props.note}</span>}
      <span className={styles.spacer} />
      {props.children}
    </div>
  );
}
