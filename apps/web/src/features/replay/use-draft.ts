import type { StepDetail, StepTool, TargetView } from '@misstep/contract';
import { useMemo, useState } from 'react';
import { useReplays, useReplaysOfTool } from '../../api/replays.ts';
import { useTargets } from '../../api/targets.ts';
import { useChosenTargets } from '../../state/chosen-target.ts';
import { preferredTarget } from '../../state/preferred-target.ts';
import { type ArgumentChanges, changesFrom } from './argument-changes.ts';
import {
  type ArgumentsProblem,
  checkArguments,
  type RecordedArguments,
  recordedArguments,
} from './draft-arguments.ts';
import { type SplitRun, useSplit } from './use-split.ts';
import { type CheckedText, useArgumentCheck, useStepTool } from './use-tool.ts';

export interface Draft {
  readonly recorded: RecordedArguments;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly problem: ArgumentsProblem | null;
  /** True where the text is not the recorded one, byte for byte. */
  readonly isEdited: boolean;
  /** What differs from the recorded call; null = it can't be told, or nothing is recorded whole. */
  readonly changes: ArgumentChanges | null;
  readonly targets: readonly TargetView[] | undefined;
  readonly target: TargetView | null;
  readonly chooseTarget: (name: string) => void;
  readonly typedTool: string;
  readonly setTypedTool: (text: string) => void;
  readonly tool: string;
  /** The tool's definitions; null = not known yet. */
  readonly stepTool: StepTool | null;
  /** What the schema says of a text that stood here a moment ago. */
  readonly checked: CheckedText | null;
  readonly split: SplitRun;
}

/**
 * The next replay as it is being prepared. It survives looking at earlier ones.
 * `address.target` is the server that the page's address names; `onTarget` puts another there.
 */
export function useDraft(
  step: StepDetail,
  address: { readonly target: string | null; readonly onTarget: (name: string) => void },
): Draft {
  const recorded = useMemo(() => recordedArguments(step), [step]);
  const [typed, setText] = useState<string | null>(null);
  const remembered = useChosenTargets((state) => state.byStep.get(step.id) ?? null);
  const remember = useChosenTargets((state) => state.choose);
  const [held, setHeld] = useState<string | null>(null);
  const [typedTool, setTypedTool] = useState('');
  const replays = useReplays({ runId: step.runId, stepId: step.id });
  const ofTool = useReplaysOfTool(step.tool);
  const configured = useTargets().data?.targets;
  // Which server it is depends on where the call went last: none is shown before that is known.
  const targets = replays.isPending || ofTool.isPending ? undefined : configured;
  const text = typed ?? recorded.text;
  const problem = useMemo(() => checkArguments(text), [text]);
  const changes = useMemo(
    () => (recorded.isWhole ? changesFrom(recorded.text, text) : null),
    [recorded, text],
  );
  const target =
    targets === undefined
      ? null
      : preferredTarget(targets, {
          chosen: [address.target, remembered, held],
          replays: replays.data?.replays ?? [],
          ofTool: ofTool.replays,
          recordedServer: step.server,
        });
  const targetName = target?.name ?? null;
  // What stands there stays: a replay from elsewhere must not turn the next send to another server.
  if (held === null && targetName !== null) setHeld(targetName);
  const stepTool = useStepTool(step, targetName);
  const definition = definitionText(stepTool);
  const checked = useArgumentCheck({
    step,
    targetName,
    definition,
    text: problem === null && definition !== null ? text : null,
  });
  const split = useSplit(step, target);
  // A plan is of the draft and the server that it was made for.
  const dropPlan = () => {
    if (split.state === 'planned') split.close();
  };
  return {
    recorded,
    text,
    setText: (next) => {
      dropPlan();
      setText(next);
    },
    problem,
    isEdited: text !== recorded.text,
    changes,
    targets,
    target,
    chooseTarget: (name) => {
      dropPlan();
      remember(step.id, name);
      address.onTarget(name);
    },
    typedTool,
    setTypedTool,
    tool: step.tool ?? step.name,
    stepTool,
    checked,
    split,
  };
}

/** The live definition, or the recorded one while the server has not listed its tools. */
export function definitionText(stepTool: StepTool | null): string | null {
  if (stepTool === null) return null;
  if (stepTool.live !== null) return stepTool.live.definition?.text ?? null;
  return stepTool.recorded?.text ?? null;
}

/** Whether the server calls the tool read-only, as last heard; null = it was not asked yet. */
export function readOnlyHintOf(draft: Draft): boolean | null {
  const definition = draft.stepTool?.live?.definition ?? null;
  return definition === null ? null : definition.readOnlyHint === true;
}

/** Unless the server calls the tool read-only and is trusted in that, its name is typed for a send. */
export function needsTypedName(draft: Draft, knownReadOnly: boolean | null): boolean {
  return !(draft.target?.trustsReadOnlyHint === true && knownReadOnly !== false);
}

/** Why Send does nothing now; null = it sends. */
export function whyNotSend(draft: Draft, needsName: boolean): string | null {
  if (draft.split.state === 'sending') return 'The split is being sent.';
  if (draft.split.state === 'planned') return 'A split is open: send it or close it.';
  if (draft.target === null) return 'No server is configured.';
  if (draft.target.confirmedAt === null) return 'The server is not confirmed yet.';
  if (draft.text === '') return 'The arguments are empty: write them first.';
  if (draft.problem !== null) return 'The arguments are no JSON object yet.';
  if (!draft.recorded.isWhole && !draft.isEdited) {
    return 'The recording does not hold the whole arguments: write them first.';
  }
  if (needsName && draft.typedTool !== draft.tool) return 'Type the tool name to allow this send.';
  return null;
}
