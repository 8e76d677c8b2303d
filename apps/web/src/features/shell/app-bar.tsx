import { Link } from '@tanstack/react-router';
import type { Theme } from '../../state/preferences.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { IconName } from '../../ui/icon-shapes.ts';
import styles from './app-bar.module.css';
import { GoTo } from './go-to.tsx';

const THEMES: Readonly<Record<Theme, { icon: IconName; word: string }>> = {
  light: { icon: 'sun', word: 'Light' },
  dark: { icon: 'moon', word: 'Dark' },
  system: { icon: 'system', word: 'System' },
};

/** Name, sections, Ctrl K, what is promised (local only), theme, all keys. */
export function AppBar(props: {
  theme: Theme;
  onTheme: () => void;
  sheetOpen: boolean;
  onSheet: () => void;
}) {
  const theme = THEMES[props.theme];
  return (
    <header className={styles.bar}>
      <span className={styles.brand}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M1 14.5h4.2v-4h4v-4h4.3v-4" fill="none" stroke="currentColor" strokeWidth="2" />
          <rect x="11" y="12" width="3" height="3" fill="currentColor" />
        </svg>
        Misstep
      </span>
      <nav className={styles.nav} aria-label="Main">
        <Link to="/runs" activeProps={{ 'aria-current': 'page' }}>
          Runs
        </Link>
        <Link to="/replays" activeProps={{ 'aria-current': 'page' }}>
          Replays
        </Link>
        <Link to="/comparisons" activeProps={{ 'aria-current': 'page' }}>
          Comparisons
        </Link>
        <Link to="/servers" activeProps={{ 'aria-current': 'page' }}>
          Servers
        </Link>
      </nav>
      <span className={styles.spacer} />
      <GoTo />
      <span className={styles.spacer} />
      <span className={styles.local} title="Nothing that you import leaves this machine">
        <Icon name="lock" small />
        Local only
      </span>
      <Button
        className={styles.theme}
        onClick={props.onTheme}
        title="Switch theme (T)"
        aria-label={`Theme: ${theme.word}`}
      >
        <Icon name={theme.icon} />
        {theme.word}
      </Button>
      <Button
        square
        title="All keys (?)"
        aria-label="All keys"
        aria-expanded={props.sheetOpen}
        onClick={props.onSheet}
      >
        <b aria-hidden="true">?</b>
      </Button>
    </header>
  );
}
