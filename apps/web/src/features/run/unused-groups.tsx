import type { UnusedPage } from '@misstep/contract';
import { countOf, formatCount } from '../../ui/format-count.ts';
import { STATE_WORDS } from './record-words.ts';
import styles from './unused-groups.module.css';
import type { RecordFilter } from './unused-records.tsx';

/** How many records share a reason; one of them chosen narrows the list below. */
export function UnusedGroups(props: {
  groups: UnusedPage['groups'];
  omitted: number;
  filter: RecordFilter;
  onFilter: (filter: RecordFilter) => void;
}) {
  const { groups, omitted, filter, onFilter } = props;
  if (groups.length === 0) return null;
  return (
    <ul className={styles.groups} aria-label="Why">
      {groups.map(({ state, reason, count }) => {
        const chosen = filter.state === state && filter.reason === reason;
        return (
          <li key={`${state} ${reason}`}>
            <button
              type="button"
              aria-pressed={chosen}
              onClick={() => onFilter(chosen ? { state, reason: null } : { state, reason })}
            >
              <span className={styles.count}>{formatCount(count)}</span>
              <span className={state === 'setAside' ? styles.neutral : styles.loss}>
                {STATE_WORDS[state]}
              </span>
              <span className={styles.reason}>{reason}</span>
            </button>
          </li>
        );
      })}
      {omitted > 0 ? (
        <li className={styles.omitted}>{countOf(omitted, 'further reason')}</li>
      ) : null}
    </ul>
  );
}
