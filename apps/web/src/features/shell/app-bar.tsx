import { Link, useRouterState } from '@tanstack/react-router';
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

const SECTIONS = [
  { to: '/runs', words: 'Runs' },
  { to: '/replays', words: 'Replays' },
  { to: '/comparisons', words: 'Comparisons' },
  { to: '/servers', words: 'Servers' },
] as const;

/** Else the router calls a section current by the address's beginning alone. */
const EXACT = { exact: true };

/** A replay's address begins with its run's, but it belongs to the replays. */
function sectionOf(path: string): (typeof SECTIONS)[number]['to'] | null {
  if (/^\/runs\/[^/]+\/replay\//.test(path)) return '/replays';
  return SECTIONS.find(({ to }) => path === to || path.startsWith(`${to}/`))?.to ?? null;
}

/** Name, sections, Ctrl K, what is promised (local only), theme, all keys. */
export function AppBar(props: {
  theme: Theme;
  onTheme: () => void;
  sheetOpen: boolean;
  onSheet: () => void;
}) {
  const theme = THEMES[props.theme];
  const here = useRouterState({ select: (state) => sectionOf(state.location.pathname) });
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
        {SECTIONS.map(({ to, words }) => (
          <Link
            key={to}
            to={to}
            activeOptions={EXACT}
            aria-current={to === here ? 'page' : undefined}
          >
            {words}
          </Link>
        ))}
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
