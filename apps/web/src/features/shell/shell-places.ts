import { useNavigate } from '@tanstack/react-router';
import { useRuns } from '../../api/runs.ts';
import { useTargets } from '../../api/targets.ts';
import { useGoToSource } from '../../state/go-to-registry.ts';
import { countOf } from '../../ui/format-count.ts';

const MOST_RUNS = 8;

/** The places that Ctrl K offers on every screen: runs, servers, sections. */
export function useShellPlaces(): void {
  const navigate = useNavigate();
  const runs = useRuns();
  const targets = useTargets();

  useGoToSource({
    id: 'runs',
    title: 'Runs',
    order: 20,
    find: (typed) =>
      (runs.data?.runs ?? [])
        .filter((run) => has(run.title, typed))
        .slice(0, MOST_RUNS)
        .map((run) => ({
          id: run.id,
          label: run.title,
          note: countOf(run.stepCount, 'step'),
          icon: 'note' as const,
          onSelect: () =>
            void navigate({ to: '/runs/$runId', params: { runId: run.id }, search: {} }),
        })),
  });
  useGoToSource({
    id: 'servers',
    title: 'Servers',
    order: 30,
    find: (typed) =>
      (targets.data?.targets ?? [])
        .filter((target) => has(target.name, typed) || has(target.description, typed))
        .slice(0, MOST_RUNS)
        .map((target) => ({
          id: target.name,
          label: target.name,
          note: target.confirmedAt === null ? 'not confirmed' : 'confirmed',
          icon: target.address.transport === 'stdio' ? ('terminal' as const) : ('globe' as const),
          onSelect: () => void navigate({ to: '/servers' }),
        })),
  });
  useGoToSource({
    id: 'sections',
    title: 'Sections',
    order: 40,
    find: (typed) =>
      (
        [
          { id: 'runs', label: 'Runs', note: 'G R', to: '/runs' },
          { id: 'replays', label: 'Replays', note: 'G P', to: '/replays' },
          { id: 'comparisons', label: 'Comparisons', note: 'G C', to: '/comparisons' },
          { id: 'servers', label: 'Servers', note: 'G S', to: '/servers' },
          { id: 'find', label: 'Find recordings', note: 'of installed agents', to: '/find' },
          { id: 'formats', label: 'Formats', note: 'what is read', to: '/formats' },
          { id: 'prices', label: 'Prices', note: 'of tokens', to: '/prices' },
          { id: 'receiver', label: 'Receive spans', note: 'of running agents', to: '/receiver' },
        ] as const
      )
        .filter((place) => has(place.label, typed))
        .map(({ to, ...item }) => ({ ...item, onSelect: () => void navigate({ to }) })),
  });
}

function has(text: string, typed: string): boolean {
  return text.toLowerCase().includes(typed.toLowerCase());
}
