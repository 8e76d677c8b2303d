import type { Words } from '@misstep/model';
import { classNames } from '../../ui/class-names.ts';
import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './experiment.module.css';

/** Words with the names from data in the machine's face. */
export function NamedWords(props: { words: Words }) {
  return props.words.map(({ text, isName }, at) =>
    isName ? (
      // Words never change their place.
      // biome-ignore lint/suspicious/noArrayIndexKey: see above.
      <span key={at} className={classNames(styles.name, text.length <= 30 && styles.unbroken)}>
        {visibleLine(text)}
      </span>
    ) : (
      visibleLine(text)
    ),
  );
}
