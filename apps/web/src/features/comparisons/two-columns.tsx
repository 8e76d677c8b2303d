import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { useMedia } from '../../ui/use-media.ts';
import styles from './experiment.module.css';

/** Where what stands beside the calls comes below them: a table of several arguments needs the width. */
export const ONE_COLUMN = '(max-width: 1279px)';

/** What was sent beside what it says. In a narrow window one stands below the other and both scroll as one. */
export function TwoColumns(props: { label: string; children: ReactNode }) {
  const isNarrow = useMedia(ONE_COLUMN);
  const reachable = isNarrow ? { 'aria-label': props.label, tabIndex: 0 } : {};
  return (
    // Nothing in it may take the focus, and it has to scroll by keys all the same.
    <section className={classNames(styles.columns, styles.flow)} {...reachable}>
      {props.children}
    </section>
  );
}
