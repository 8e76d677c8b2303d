import styles from './kbd.module.css';

/** A key cap. On macOS `Ctrl` reads `Cmd`. */
export function Kbd(props: { children: string; onFill?: boolean }) {
  return (
    <kbd className={props.onFill ? `${styles.kbd} ${styles.onFill}` : styles.kbd}>
      {props.children === 'Ctrl'
        ? controlKeyName
        : props.children.replace('Ctrl ', `${controlKeyName} `)}
    </kbd>
  );
}

const controlKeyName =
  typeof navigator !== 'undefined' && /mac/i.test(navigator.userAgent) ? 'Cmd' : 'Ctrl';
