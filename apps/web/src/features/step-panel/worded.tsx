import { visibleLine } from './visible-text.ts';
import styles from './worded.module.css';

/** Two backticks and what stands between them; one alone is a character like any other. */
const NAMED = /`([^`]+)`/;

/** A sentence of ours in which names stand between backticks: the names in the machine's face, without them. */
export function Worded(props: { text: string }) {
  let at = 0;
  return (
    <>
      {props.text.split(NAMED).map((piece, index) => {
        const key = at;
        at += piece.length + 1;
        const shown = visibleLine(piece);
        return index % 2 === 0 ? (
          shown
        ) : (
          <span key={key} className={styles.name}>
            {shown}
          </span>
        );
      })}
    </>
  );
}

/** The same where only plain text can stand, as in a title. */
export function wordedLine(text: string): string {
  return visibleLine(text.split(NAMED).join(''));
}
