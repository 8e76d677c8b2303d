import type { Elision, StepStatus } from '@misstep/model';
import { firstLine } from '../../one-line.ts';

/** A line that the client shows in place of the result itself. */
const STAND_IN =
  /^(?:Read \d+|Found \d+|Wrote \d+|Added \d+|Removed \d+|Updated |Listed \d+|Received [\d.]+|Did \d+ search|Done \(|Running in the background)/;
const MORE_LINES =
  /(?:…|\.\.\.)\s*\+(\d[\d,]*) lines?(?:\s*\(ctrl\+[a-z] to (?:expand|see all)\))?/;
const SAVED =
  /^(?:Error: )?(?:MCP tool "[^"\n]{1,200}" response|result) \(([\d,]+) (tokens|characters)\) exceeds maximum/;

/** What the screen says that it left out of a result. */
export function cutsOnScreen(text: string): Elision[] {
  const cuts: Elision[] = [];
  const more = MORE_LINES.exec(text);
  if (more?.[1] !== undefined) {
    const count = Number(more[1].replaceAll(',', ''));
    cuts.push({ pointer: '', kind: 'lines', count, marker: firstLine(more[0]) });
  }
  const saved = SAVED.exec(text);
  if (saved?.[1] !== undefined) {
    const counted = Number(saved[1].replaceAll(',', ''));
    const kind = saved[2] === 'characters' ? 'characters' : 'tokens';
    cuts.push({ pointer: '', kind, count: counted, marker: firstLine(saved[0]) });
  }
  if (cuts.length === 0 && STAND_IN.test(text)) {
    cuts.push({ pointer: '', kind: 'value', count: null, marker: firstLine(text) });
  }
  return cuts;
}

export function statusOnScreen(text: string): { status: StepStatus; reason: string | null } {
  const reason = firstLine(text, 200);
  if (/^Interrupted\b|^\[Request interrupted/.test(text)) return { status: 'interrupted', reason };
  if (/^(?:User rejected|No \(|Tool use rejected|Rejected)/i.test(text)) {
    return { status: 'rejected', reason };
  }
  if (/^(?:Error\b|API Error|Exit code [1-9])/.test(text)) return { status: 'error', reason };
  if (/^(?:Running|Waiting)(?:…|\.\.\.)/.test(text)) return { status: 'unanswered', reason };
  return { status: 'ok', reason: null };
}

export function isEmptyOnScreen(text: string): boolean {
  return /^(?:\(No (?:content|output)\)|Found 0 \w+|No (?:files|matches) found)\s*$/i.test(
    text.trim(),
  );
}
