import type { RunSummary } from '@misstep/contract';
import { useMutation } from '@tanstack/react-query';
import { useDeleteRun } from '../../api/runs.ts';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/format-count.ts';
import { ProblemLine } from '../shell/problem-notice.tsx';
import { RailQuestion } from './filter-rail.tsx';

/** Asks in the rail's place before several runs go. */
export function DeleteSelection(props: {
  runs: readonly RunSummary[];
  onClose: () => void;
  onDeleted: () => void;
}) {
  const remove = useDeleteRun();
  const all = useMutation({
    mutationFn: async () => {
      for (const run of props.runs) await remove.mutateAsync(run.id);
    },
    onSuccess: () => {
      props.onDeleted();
      props.onClose();
    },
  });
  const marked = props.runs.filter((run) => run.mark !== null).length;
  return (
    <RailQuestion label="Delete the selected runs">
      <Button small kind="primary" unavailable={all.isPending} onClick={() => all.mutate()}>
        Delete {countOf(props.runs.length, 'run')}
      </Button>
      <Button small onClick={props.onClose}>
        Keep them
      </Button>
      <span>
        Their steps, replays and {countOf(marked, 'mark')} go; a source goes when no other run needs
        it.
      </span>
      {all.isError ? <ProblemLine error={all.error} /> : null}
    </RailQuestion>
  );
}
