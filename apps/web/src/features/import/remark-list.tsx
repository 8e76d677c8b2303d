import type { ImportRow } from '@misstep/contract';
import { adviceOn } from '@misstep/model';
import { countOf, formatCount } from '../../ui/format-count.ts';
import text from '../../ui/text.module.css';
import { Worded } from '../step-panel/worded.tsx';
import styles from './remark-list.module.css';

type Remark = ImportRow['issues'][number];

/** What an import had to say of a source; what to do stands once for all notes of one kind. */
export function RemarkList(props: { remarks: readonly Remark[] }) {
  const groups = new Map<string, Remark[]>();
  for (const remark of props.remarks) {
    const group = groups.get(remark.code);
    if (group === undefined) groups.set(remark.code, [remark]);
    else group.push(remark);
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys.
    <section className={styles.groups} tabIndex={0} aria-label="Notes on the source">
      {[...groups].map(([code, remarks]) => (
        <div key={code}>
          <code>{code}</code>
          {remarks.length > 1 ? (
            <span className={text.secondary}>{` ${countOf(remarks.length, 'note')}`}</span>
          ) : null}
          <ul>
            {remarks.map(({ message, offset }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two notes may say the same, and their order never changes.
              <li key={`${offset} ${index}`}>
                {offset === null ? '' : `at byte ${formatCount(offset)}: `}
                <Worded text={message} />
              </li>
            ))}
          </ul>
          <Advice code={code} />
        </div>
      ))}
    </section>
  );
}

/** The next step that a note calls for, or that it calls for none. */
export function Advice(props: { code: string }) {
  const words = adviceOn(props.code);
  return words === null ? null : (
    <p className={styles.advice}>
      <span className={text.medium}>What to do:</span> <Worded text={words} />
    </p>
  );
}
