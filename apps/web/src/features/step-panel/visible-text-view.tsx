import { Fragment, memo } from 'react';
import styles from './value.module.css';
import { breakable, visiblePieces } from './visible-text.ts';

/**
 * Recorded text as text: isolated from the page's own direction, with characters that would hide or
 * reorder it shown by their code.
 */
export const VisibleText = memo(function VisibleText(props: { text: string }) {
  const pieces = visiblePieces(props.text);
  let at = 0;
  return (
    <bdi className={styles.isolated}>
      {pieces.map((piece) => {
        at += 1;
        return piece.kind === 'text' ? (
          <BreakableText key={at} text={piece.text} />
        ) : (
          <span key={at} className={styles.unseen} title={piece.name}>
            {piece.code}
          </span>
        );
      })}
    </bdi>
  );
});

function BreakableText(props: { text: string }) {
  const [first, ...more] = breakable(props.text);
  let at = 0;
  return (
    <>
      {first}
      {more.map((part) => {
        at += part.length;
        return (
          <Fragment key={at}>
            <wbr />
            {part}
          </Fragment>
        );
      })}
    </>
  );
}
