import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';

/** A label beside its control, and a line under it for what is wrong or what it means. */
export function Field(props: {
  label: string;
  /** Gets the ids that tie label, note and control together. */
  children: (ids: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode;
  note?: ReactNode;
  error?: string | null;
  /** The control is a group that carries its own name: the label is for the eye only. */
  group?: boolean;
}) {
  const id = useId();
  const noteId = `${id}-note`;
  const hasError = props.error !== undefined && props.error !== null;
  const described = hasError || props.note !== undefined;
  return (
    <div className={styles.field}>
      {props.group ? (
        <span className={styles.label} aria-hidden="true">
          {props.label}
        </span>
      ) : (
        <label htmlFor={id} className={styles.label}>
          {props.label}
        </label>
      )}
      {props.children({
        id,
        ...(described ? { 'aria-describedby': noteId } : {}),
        ...(hasError ? { 'aria-invalid': true } : {}),
      })}
      {described ? (
        <div
          id={noteId}
          className={classNames(styles.note, hasError && styles.error)}
          {...(hasError ? { role: 'alert' } : {})}
        >
          {hasError ? props.error : props.note}
        </div>
      ) : null}
    </div>
  );
}

/** A 24 px text input. Give it a label through `Field` or an `aria-label`. */
export function TextInput({
  mono,
  className,
  ...rest
}: ComponentProps<'input'> & { mono?: boolean }) {
  return (
    <input
      type="text"
      spellCheck={false}
      autoComplete="off"
      {...rest}
      className={classNames(styles.input, mono && styles.mono, className)}
    />
  );
}

/** Several lines. */
export function TextArea({
  mono,
  className,
  ...rest
}: ComponentProps<'textarea'> & { mono?: boolean }) {
  return (
    <textarea
      spellCheck={false}
      {...rest}
      className={classNames(styles.input, styles.area, mono && styles.mono, className)}
    />
  );
}

/** A native list to choose from: it works with every keyboard and reader. */
export function SelectInput({ className, ...rest }: ComponentProps<'select'>) {
  return <select {...rest} className={classNames(styles.input, styles.select, className)} />;
}

/** A check box with its words. */
export function CheckBox(props: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}) {
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        checked={props.checked}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <span>{props.children}</span>
    </label>
  );
}
