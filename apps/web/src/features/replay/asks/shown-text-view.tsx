import { countOf } from '../../../ui/format-count.ts';
import { VisibleText } from '../../step-panel/visible-text-view.tsx';
import styles from './asks.module.css';
import type { ShownText } from './read-ask.ts';

/** Text of the server's as text, with what was cut from it counted. */
export function ShownTextView(props: { value: ShownText }) {
  const { text, omitted } = props.value;
  return (
    <>
      <VisibleText text={text} />
      {omitted === 0 ? null : (
        <span className={styles.secondary}>{` (${countOf(omitted, 'character')} more)`}</span>
      )}
    </>
  );
}
