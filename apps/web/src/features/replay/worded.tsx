import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './draft.module.css';

/** A sentence of ours in which names stand between backticks. */
export function Worded(props: { text: string }) {
  let at = 0;
  return (
    <>
      {props.text.split('`').map((piece, index) => {
        const key = at;
        at += piece.length + 1;
        const shown = visibleLine(piece);
        return index % 2 === 0 ? (
          shown
        ) : (
          <span key={key} className={styles.mono}>
            {shown}
          </span>
        );
      })}
    </>
  );
}
