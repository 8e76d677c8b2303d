import { useImports } from '../../api/imports.ts';
import styles from './import-list.module.css';
import { ImportRow } from './import-row.tsx';

/** One row per import. Rows leave only when dismissed. */
export function ImportList() {
  const imports = useImports();
  if (imports.data === undefined || imports.data.length === 0) return null;
  return (
    <section aria-label="Imports" className={styles.list}>
      <ul>
        {imports.data.map((state) => (
          <ImportRow key={state.id} state={state} />
        ))}
      </ul>
    </section>
  );
}
