import type { StepStatus } from '@misstep/model';
import { firstLine } from '../../one-line.ts';
import { field } from '../../plain-fields.ts';

export interface ResultVerdict {
  readonly status: StepStatus;
  readonly reason: string | null;
}

/** The status of a call from its result's text. `isError` is absent, not false, on success. */
export function verdictOf(text: string, isError: boolean, structured: unknown): ResultVerdict {
  const reason = firstLine(text.replace(/^\s*<tool_use_error>/, ''), 200);
  const structuredText = typeof structured === 'string' ? structured : '';
  if (field(structured, 'interrupted') === true) {
    return { status: 'interrupted', reason: 'Interrupted while it ran.' };
  }
  if (!isError) return { status: 'ok', reason: null };
  if (
    /^\s*The user doesn't want to (proceed with this tool use|take this action)/.test(text) ||
    structuredText === 'User rejected tool use'
  ) {
    return { status: 'rejected', reason: 'A person rejected the call; it never reached the tool.' };
  }
  if (/^\s*\[Request interrupted by user/.test(text)) return { status: 'interrupted', reason };
  if (/Sibling tool call errored/.test(text.slice(0, 200))) {
    return { status: 'cancelled', reason: 'Cancelled because a parallel call failed.' };
  }
  if (/^\s*<tool_use_error>/.test(text)) {
    return {
      status: 'neverReached',
      reason: reason.replace('</tool_use_error>', '') || 'The client refused the call.',
    };
  }
  return { status: 'error', reason };
}
