import type { StepDetail, TargetView } from '@misstep/contract';
import { useMemo, useState } from 'react';
import { useTargets } from '../../api/targets.ts';
import {
  type ArgumentsProblem,
  checkArguments,
  type RecordedArguments,
  recordedArguments,
} from './draft-arguments.ts';
import { countEditedValues } from './edited-values.ts';

export interface Draft {
  readonly recorded: RecordedArguments;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly problem: ArgumentsProblem | null;
  /** True where the text is not the recorded one, byte for byte. */
  readonly isEdited: boolean;
  /** Values that differ; null = it can't be counted. */
  readonly editedValues: number | null;
  readonly targets: readonly TargetView[] | undefined;
  readonly target: TargetView | null;
  readonly chooseTarget: (name: string) => void;
  readonly typedTool: string;
  readonly setTypedTool: (text: string) => void;
  readonly tool: string;
}

/** The next replay as it is being prepared. It survives looking at earlier ones. */
export function useDraft(step: StepDetail): Draft {
  const recorded = useMemo(() => recordedArguments(step), [step]);
  const [typed, setText] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [typedTool, setTypedTool] = useState('');
  const targets = useTargets().data?.targets;
  const text = typed ?? recorded.text;
  const problem = useMemo(() => checkArguments(text), [text]);
  const editedValues = useMemo(() => countEditedValues(recorded.text, text), [recorded, text]);
  const target =
    targets?.find((each) => each.name === chosen) ??
    targets?.find((each) => each.name === step.server && each.confirmedAt !== null) ??
    targets?.find((each) => each.confirmedAt !== null) ??
    targets?.[0] ??
    null;
  return {
    recorded,
    text,
    setText,
    problem,
    isEdited: text !== recorded.text,
    editedValues,
    targets,
    target,
    chooseTarget: setChosen,
    typedTool,
    setTypedTool,
    tool: step.tool ?? step.name,
  };
}

/** Why Send does nothing now; null = it sends. */
export function whyNotSend(draft: Draft, needsName: boolean): string | null {
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
