import type { ComponentProps } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.ts';

/**
 * `primary` is inverse, never vermilion; `mark` and `markFilled` set or cite the mark and nothing
 * else; `quiet` has no border.
 */
export type ButtonKind = 'plain' | 'primary' | 'mark' | 'markFilled' | 'quiet';

export interface ButtonProps extends ComponentProps<'button'> {
  kind?: ButtonKind;
  /** 20 px instead of 24. */
  small?: boolean;
  /** Square, for an icon alone: give it an `aria-label`. */
  square?: boolean;
  /**
   * Stays focusable and readable but does nothing; say why in `title` or beside it. Preferred to
   * `disabled`, which hides the reason from the keyboard.
   */
  unavailable?: boolean;
}

/** Class names of a button, for links that look like one. */
export function buttonClass(
  props: Pick<ButtonProps, 'kind' | 'small' | 'square' | 'unavailable'> = {},
): string {
  return classNames(
    styles.button,
    props.kind !== undefined && props.kind !== 'plain' && styles[props.kind],
    props.small && styles.small,
    props.square && styles.square,
    props.unavailable && styles.unavailable,
  );
}

/** A 24 px button. */
export function Button({
  kind,
  small,
  square,
  unavailable,
  className,
  onClick,
  type,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      className={classNames(
        buttonClass({
          ...(kind === undefined ? {} : { kind }),
          small: small === true,
          square: square === true,
          unavailable: unavailable === true,
        }),
        className,
      )}
      {...(unavailable ? { 'aria-disabled': true } : {})}
      onClick={(event) => {
        if (unavailable) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}
