import { ERROR_CATALOGUE } from '@misstep/model';
import styles from './no-access.module.css';

/** Instead of the app where the server doesn't take this page's token. */
export function NoAccess() {
  return (
    <main className={styles.page}>
      <h1>This page may not talk to Misstep</h1>
      <p>
        Each start of Misstep has its own token, and this page has none, or one of an earlier start.
      </p>
      <p>{ERROR_CATALOGUE.TOKEN_MISSING.hint}</p>
      <p className={styles.note}>
        Look in the terminal where <code>npm start</code> or <code>npx misstep serve</code> runs.
        Nothing was lost: runs, marks and replays are in the data folder.
      </p>
    </main>
  );
}
