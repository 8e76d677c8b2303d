import type { Step } from '@misstep/model';
import { firstLine } from './one-line.ts';
import { startOf } from './pooled-step.ts';

/** Beyond the steps that one record gives: what it gives is called the same with and without an opening. */
export const OPENING = 1_000_000;

/** The step that opens what a resumed or forked session's file adds to its run. */
export function openingOf(sessionId: string | null): Pick<Step, 'kind' | 'name' | 'summary'> {
  const summary = firstLine(`session ${sessionId ?? 'without a name'}`, 200);
  return { kind: 'context', name: 'Goes on in another session file', summary };
}

/** What one file of a run gave; `opening` is null for the file that the run begins with. */
export interface FileSteps {
  readonly opening: Step | null;
  readonly steps: readonly Step[];
}

/**
 * A session that was resumed goes on where the one before ended. One that was forked while that one
 * went on as well is a branch: its steps stand below the step that opens it.
 */
export function setBranchesApart(files: readonly FileSteps[]): void {
  for (const file of files) {
    const { opening, steps } = file;
    const from = opening === null ? null : startOf(opening);
    if (opening === null || from === null) continue;
    const isBranch = files.some(
      (other) => other !== file && beganBefore(other, from) && endsBehind(other, from),
    );
    if (!isBranch) continue;
    for (const step of steps) if (step !== opening) step.parentId ??= opening.id;
  }
}

function beganBefore({ opening }: FileSteps, ns: bigint): boolean {
  return opening === null || (startOf(opening) ?? ns) < ns;
}

function endsBehind({ steps }: FileSteps, ns: bigint): boolean {
  return steps.some((step) => (startOf(step) ?? ns) > ns);
}
