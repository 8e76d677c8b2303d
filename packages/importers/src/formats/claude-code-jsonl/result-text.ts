import type { Elision, StepStatus } from '@misstep/model';
import { firstLine } from '../../one-line.ts';
import { field } from '../../plain-fields.ts';
import { type CutPattern, cutsByPatterns } from '../../stated-cuts.ts';

/** How Claude Code says that it cut a result. Anchored, so that a file that talks of it isn't cut. */
const CUT_PATTERNS: readonly CutPattern[] = [
  {
    pattern: /^\s*<persisted-output>\s*Output too large \([^)\n]{1,40}\)[^\n]{0,400}/,
    kind: 'bytes',
    countGroup: 0,
  },
  { pattern: /^\.{3} \[(\d{1,9}) lines truncated\] \.{3}$/m, kind: 'lines', countGroup: 1 },
  { pattern: /^\(Results are truncated\.[^)\n]{0,200}\)/m, kind: 'lines', countGroup: 0 },
  {
    pattern: /^\.{3} \[(\d{1,9}) characters truncated\] \.{3}$/m,
    kind: 'characters',
    countGroup: 1,
  },
  {
    pattern: /^[^\n]{0,300}\[Omitted long (?:matching|context) line\]$/m,
    kind: 'lines',
    countGroup: 'each',
  },
  { pattern: /^\[Truncated\. Full output: [^\]\n]{1,400}\]$/m, kind: 'tail', countGroup: 0 },
  {
    pattern:
      /^(?:Error: )?File content \(([\d,]{1,15}) tokens\) exceeds maximum allowed [^\n]{0,80}/,
    kind: 'tokens',
    countGroup: 1,
  },
  {
    pattern:
      /^(?:Error: )?File content \([\d.,]{1,15} ?[KMG]?B\) exceeds maximum allowed [^\n]{0,80}/i,
    kind: 'value',
    countGroup: 0,
  },
  {
    pattern:
      /^(?:Error: )?MCP tool "[^"\n]{1,200}" response \(([\d,]{1,15}) tokens\) exceeds maximum/,
    kind: 'tokens',
    countGroup: 1,
  },
  {
    pattern: /^(?:Error: )?result \(([\d,]{1,15}) characters\) exceeds maximum allowed tokens/,
    kind: 'characters',
    countGroup: 1,
  },
];

/** Every place where the client says that it cut this text. */
export function cutsInText(text: string, pointer: string): Elision[] {
  return cutsByPatterns(CUT_PATTERNS, text, pointer);
}

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
