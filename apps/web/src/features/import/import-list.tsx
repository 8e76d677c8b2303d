import type { ImportState } from '@misstep/contract';
import styles from './import-list.module.css';
import { ImportRow } from './import-row.tsx';

/** One row per import. Rows leave only when dismissed. */
export function ImportList(props: { imports: readonly ImportState[] }) {
  if (props.imports.length === 0) return null;
  return (
    <section aria-label="Imports" className={styles.list}>
      <ul>
        {props.imports.map((state) => (
          <ImportRow key={state.id} state={state} />
        ))}
      </ul>
    </section>
  );
}
