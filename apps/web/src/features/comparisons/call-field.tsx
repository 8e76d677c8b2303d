import type { ReplaySummary, StepDetail } from '@misstep/contract';
import { useReplays } from '../../api/replays.ts';
import { Field, SelectInput } from '../../ui/field.tsx';
import { OUTCOME_WORDS } from '../replays/outcome-words.ts';
import type { Setup } from './setup-model.ts';
import { useToolCalls } from './use-tool-calls.ts';

/** Where the arguments of A or of B come from. */
export function CallField(props: {
  step: StepDetail;
  setup: Setup;
  onChange: (setup: Setup) => void;
  side: 'a' | 'b';
  label: string;
}) {
  const { setup, step, side } = props;
  const stepId = side === 'a' ? step.id : setup.stepIdB;
  const listed = useReplays({ runId: step.runId, stepId }).data;
  const calls = useToolCalls(step.runId, step.tool);
  const seq = stepId === step.id ? step.seq : calls?.find(({ id }) => id === stepId)?.seq;
  const total = listed?.total ?? 0;
  const replays = (listed?.replays ?? []).map((replay, at) => ({ replay, name: `r${total - at}` }));
  const shown = replays.filter(
    ({ replay }) => replay.experimentId === null || replay.id === setup[side],
  );
  const given = side === 'a' ? setup.givenA : setup.givenB;
  const isKnown = shown.some(({ replay }) => replay.id === setup[side]);
  const words = ['recorded', 'draft', 'given', ''].includes(setup[side]);
  return (
    <Field label={props.label}>
      {(ids) => (
        <SelectInput
          {...ids}
          value={setup[side]}
          onChange={(event) => props.onChange({ ...setup, [side]: event.currentTarget.value })}
        >
          {side === 'b' ? (
            <option value="">
              {setup.kind === 'race' ? 'none: all are call A' : 'choose the second call'}
            </option>
          ) : null}
          <option value="recorded">
            {seq === undefined ? 'its step, as recorded' : `step ${seq}, as recorded`}
          </option>
          {setup.draftText === null ? null : <option value="draft">the draft</option>}
          {given === null ? null : <option value="given">as in the comparison before</option>}
          {words || isKnown ? null : <option value={setup[side]}>a replay</option>}
          {shown.map(({ replay, name }) => (
            <option key={replay.id} value={replay.id}>
              {replayWords(replay, name)}
            </option>
          ))}
        </SelectInput>
      )}
    </Field>
  );
}

function replayWords(replay: ReplaySummary, name: string): string {
  const outcome = replay.outcome === null ? 'waiting' : OUTCOME_WORDS[replay.outcome];
  return `replay ${name}${replay.editedArguments ? ', your edit' : ''}, ${outcome}`;
}
