import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './segment.module.css';

export interface SegmentOption<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
  readonly title?: string;
}

/** A choice of one, all options visible. Each option is a pressed or unpressed button. */
export function Segment<Value extends string>(props: {
  label: string;
  options: readonly SegmentOption<Value>[];
  value: Value | null;
  onChange: (value: Value) => void;
  small?: boolean;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out as one line of buttons.
    <span
      role="group"
      aria-label={props.label}
      className={classNames(styles.segment, props.small && styles.small)}
    >
      {props.options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === props.value}
          title={option.title}
          onClick={() => props.onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </span>
  );
}
