import type { Elision, StepStatus } from '@misstep/model';
import { firstLine } from '../../one-line.ts';
import { field } from '../../plain-fields.ts';

interface CutPattern {
  readonly pattern: RegExp;
  readonly kind: Elision['kind'];
  /** The group that says how much is missing; 0 = it isn't said. */
  readonly countGroup: number;
}

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
    pattern: /^(?:Error: )?File content \([\d.,]+ ?\w{1,10}\) exceeds maximum allowed [^\n]{0,80}/,
    kind: 'value',
    countGroup: 0,
  },
  {
    pattern: /^(?:Error: )?MCP tool "[^"\n]{1,200}" response \([\d,]+ tokens\) exceeds maximum/,
    kind: 'value',
    countGroup: 0,
  },
  {
    pattern: /^(?:Error: )?result \(([\d,]{1,15}) characters\) exceeds maximum allowed tokens/,
    kind: 'characters',
    countGroup: 1,
  },
];

/** Every place where the client says that it cut this text. */
export function cutsInText(text: string, pointer: string): Elision[] {
  const cuts: Elision[] = [];
  for (const { pattern, kind, countGroup } of CUT_PATTERNS) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const digits = countGroup === 0 ? '' : (match[countGroup] ?? '').replaceAll(',', '');
    const count = digits === '' ? null : Number(digits);
    cuts.push({ pointer, kind, count, marker: firstLine(match[0]) });
  }
  return cuts;
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
