import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router';
import { RunsScreen } from './features/runs/runs-screen.tsx';
import { AppShell } from './features/shell/app-shell.tsx';
import { NotFound, ScreenFault } from './features/shell/fault-screens.tsx';
import { ImportAddress, ReplayAddress } from './features/shell/short-addresses.tsx';
import { NewExperimentSearchSchema } from './state/experiment-search.ts';
import { firstRunToShow } from './state/first-place.ts';
import { FormatsSearchSchema } from './state/formats-search.ts';
import { ReplaySearchSchema } from './state/replay-search.ts';
import { RunSearchSchema } from './state/run-search.ts';
import { RunsSearchSchema } from './state/runs-search.ts';

const root = createRootRoute({
  component: AppShell,
  notFoundComponent: NotFound,
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async ({ preload }) => {
    const runId = preload ? null : await firstRunToShow();
    if (runId === null) throw redirect({ to: '/runs', replace: true });
    throw redirect({ to: '/runs/$runId', params: { runId }, replace: true });
  },
});

const runs = createRoute({
  getParentRoute: () => root,
  path: '/runs',
  validateSearch: RunsSearchSchema,
  component: RunsScreen,
});

const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$runId',
  validateSearch: RunSearchSchema,
  component: lazyRouteComponent(() => import('./features/run/run-screen.tsx'), 'RunScreen'),
});

const replayCall = createRoute({
  getParentRoute: () => root,
  path: '/runs/$runId/replay/$stepId',
  validateSearch: ReplaySearchSchema,
  component: lazyRouteComponent(
    () => import('./features/replay/replay-screen.tsx'),
    'ReplayScreen',
  ),
});

const replays = createRoute({
  getParentRoute: () => root,
  path: '/replays',
  component: lazyRouteComponent(
    () => import('./features/replays/replays-screen.tsx'),
    'ReplaysScreen',
  ),
});

const importAddress = createRoute({
  getParentRoute: () => root,
  path: '/imports/$importId',
  component: ImportAddress,
});

const replayAddress = createRoute({
  getParentRoute: () => root,
  path: '/replays/$replayId',
  component: ReplayAddress,
});

const comparisons = createRoute({
  getParentRoute: () => root,
  path: '/comparisons',
  component: lazyRouteComponent(
    () => import('./features/comparisons/comparisons-screen.tsx'),
    'ComparisonsScreen',
  ),
});

const newComparison = createRoute({
  getParentRoute: () => root,
  path: '/comparisons/new',
  validateSearch: NewExperimentSearchSchema,
  component: lazyRouteComponent(
    () => import('./features/comparisons/setup-screen.tsx'),
    'SetupScreen',
  ),
});

const comparison = createRoute({
  getParentRoute: () => root,
  path: '/comparisons/$experimentId',
  component: lazyRouteComponent(
    () => import('./features/comparisons/experiment-screen.tsx'),
    'ExperimentScreen',
  ),
});

const servers = createRoute({
  getParentRoute: () => root,
  path: '/servers',
  component: lazyRouteComponent(
    () => import('./features/servers/servers-screen.tsx'),
    'ServersScreen',
  ),
});

const receiver = createRoute({
  getParentRoute: () => root,
  path: '/receiver',
  component: lazyRouteComponent(
    () => import('./features/receiver/receiver-screen.tsx'),
    'ReceiverScreen',
  ),
});

const prices = createRoute({
  getParentRoute: () => root,
  path: '/prices',
  component: lazyRouteComponent(
    () => import('./features/prices/prices-screen.tsx'),
    'PricesScreen',
  ),
});

const find = createRoute({
  getParentRoute: () => root,
  path: '/find',
  component: lazyRouteComponent(() => import('./features/find/find-screen.tsx'), 'FindScreen'),
});

const formats = createRoute({
  getParentRoute: () => root,
  path: '/formats',
  validateSearch: FormatsSearchSchema,
  component: lazyRouteComponent(
    () => import('./features/formats/formats-screen.tsx'),
    'FormatsScreen',
  ),
});

/** The app's addresses; tests give a history in memory. */
export function createAppRouter(history?: RouterHistory) {
  return createRouter({
    routeTree: root.addChildren([
      home,
      runs,
      run,
      replayCall,
      replays,
      importAddress,
      replayAddress,
      comparisons,
      newComparison,
      comparison,
      servers,
      receiver,
      prices,
      find,
      formats,
    ]),
    ...(history === undefined ? {} : { history }),
    defaultPreload: 'intent',
    defaultErrorComponent: ScreenFault,
    // Structure comes first; a placeholder that flashes is worse than none.
    defaultPendingMs: 150,
  });
}

/** The page's own. */
export const router = createAppRouter();

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
