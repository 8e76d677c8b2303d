import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useGrowingRuns } from '../../api/receiver.ts';
import { listenForKeys } from '../../state/key-registry.ts';
import { type Theme, usePreferences } from '../../state/preferences.ts';
import { useSession } from '../../state/session.ts';
import { useKeys } from '../../state/use-keys.ts';
import { IconSprite } from '../../ui/icon.tsx';
import { collectDropped } from '../import/collect-files.ts';
import { useImporter } from '../import/use-import-files.ts';
import { useWindowDrop } from '../import/use-window-drop.ts';
import { AppBar } from './app-bar.tsx';
import styles from './app-shell.module.css';
import { KeySheet } from './key-sheet.tsx';
import { NoAccess } from './no-access.tsx';
import { StatusBar } from './status-bar.tsx';
import { StatusSlotContext } from './status-items.tsx';

const NEXT_THEME: Readonly<Record<Theme, Theme>> = {
  system: 'light',
  light: 'dark',
  dark: 'system',
};

/** The frame around every screen: app bar 40, the screen, status bar 24. */
export function AppShell() {
  const [statusSlot, setStatusSlot] = useState<HTMLElement | null>(null);
  const [sheetOpen, setSheetOpen] = useState(false);
  const accessLost = useSession((state) => state.accessLost);
  const navigate = useNavigate();
  const { theme, set } = usePreferences();
  const nextTheme = () => set({ theme: NEXT_THEME[theme] });

  useEffect(() => listenForKeys(window), []);
  // The run list takes drops itself; elsewhere a dropped file is imported and the list opened,
  // instead of the browser leaving the page for the file.
  const onRunList = useRouterState({ select: (state) => state.location.pathname === '/runs' });
  useGrowingRuns();
  const importer = useImporter();
  useWindowDrop({
    enabled: !onRunList,
    onDrop: (transfer) => {
      importer.importFiles(collectDropped(transfer));
      void navigate({ to: '/runs' });
    },
  });
  useKeys({
    title: 'Everywhere',
    everywhere: true,
    hints: [
      { caps: ['Ctrl K'], words: 'go to', sheetOnly: true },
      { caps: ['?'], words: 'all keys' },
      { caps: ['T'], words: 'theme', sheetOnly: true },
      { caps: ['G', 'R'], words: 'runs', sheetOnly: true },
      { caps: ['G', 'P'], words: 'replays', sheetOnly: true },
      { caps: ['G', 'C'], words: 'comparisons', sheetOnly: true },
      { caps: ['G', 'S'], words: 'servers', sheetOnly: true },
    ],
    inTextFields: ['Ctrl+k'],
    handlers: {
      'Ctrl+k': () => document.getElementById('go-to')?.focus(),
      '?': () => setSheetOpen((open) => !open),
      t: nextTheme,
      escape: () => (sheetOpen ? setSheetOpen(false) : false),
      'g r': () => void navigate({ to: '/runs' }),
      'g p': () => void navigate({ to: '/replays' }),
      'g c': () => void navigate({ to: '/comparisons' }),
      'g s': () => void navigate({ to: '/servers' }),
    },
  });

  if (accessLost) return <NoAccess />;
  return (
    <StatusSlotContext value={statusSlot}>
      <IconSprite />
      <div className={styles.app}>
        <AppBar
          theme={theme}
          onTheme={nextTheme}
          sheetOpen={sheetOpen}
          onSheet={() => setSheetOpen((open) => !open)}
        />
        <main className={styles.main}>
          <Outlet />
        </main>
        {sheetOpen ? <KeySheet onClose={() => setSheetOpen(false)} /> : null}
        <StatusBar slotRef={setStatusSlot} />
      </div>
    </StatusSlotContext>
  );
}
