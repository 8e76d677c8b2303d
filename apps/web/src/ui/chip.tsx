import type { ReactNode } from 'react';
import styles from './chip.module.css';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-shapes.ts';

/**
 * Tinted = status, plain = neutral fact, `inverse` = the server disagrees with itself,
 * `mark` and `markLine` = the mark.
 */
export type ChipTone =
  | 'plain'
  | 'error'
  | 'unanswered'
  | 'truncated'
  | 'inverse'
  | 'mark'
  | 'markLine';

/** `[icon] word`, 16 px. Solid border = recorded, dashed (`inferred`) = worked out by Misstep. */
export function Chip(props: {
  children: ReactNode;
  icon?: IconName;
  tone?: ChipTone;
  inferred?: boolean;
  title?: string;
}) {
  return (
    <span
      className={classNames(
        styles.chip,
        props.tone !== undefined && props.tone !== 'plain' && styles[props.tone],
        props.inferred && styles.inferred,
      )}
      title={props.title}
    >
      {props.icon === undefined ? null : <Icon name={props.icon} className={styles.icon} />}
      {props.children}
    </span>
  );
}
