import { routes } from '@misstep/contract';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { useImports } from '../../api/imports.ts';
import { AddressFault } from './address-fault.tsx';

/** An import by its id alone: the run list with its sources open. */
export function ImportAddress() {
  const { importId } = useParams({ from: '/imports/$importId' });
  const imports = useImports();
  if (imports.data === undefined && imports.error === null) return null;
  const isThere = imports.data?.some(({ id }) => id === importId) ?? false;
  if (isThere) return <Navigate to="/runs" search={{ import: importId }} replace />;
  return (
    <AddressFault
      kind="import"
      id={importId}
      error={imports.error}
      title="This import can’t be shown"
      onRetry={() => void imports.refetch()}
    />
  );
}

/** A replay by its id alone: the screen of its call, with it chosen. */
export function ReplayAddress() {
  const { replayId } = useParams({ from: '/replays/$replayId' });
  const replay = useQuery({
    queryKey: ['replay-address', replayId],
    queryFn: ({ signal }) => api(routes.getReplay, { params: { replayId }, signal }),
    retry: false,
  });
  if (replay.data === undefined && replay.error === null) return null;
  if (replay.data !== undefined) {
    const { runId, stepId } = replay.data;
    return (
      <Navigate
        to="/runs/$runId/replay/$stepId"
        params={{ runId, stepId }}
        search={{ replay: replayId }}
        replace
      />
    );
  }
  return (
    <AddressFault
      kind="replay"
      id={replayId}
      error={replay.error}
      title="This replay can’t be shown"
      onRetry={() => void replay.refetch()}
    />
  );
}
