import type { DocumentLine } from '../../text-document.ts';

/** A line (of a command: several) that stands for something the agent did. */
export interface Action {
  readonly name: string;
  /** The command, or the address of the file or folder, in the text. */
  readonly given: { readonly start: number; readonly end: number } | null;
  readonly isRejected: boolean;
  /** Its end is not there. */
  readonly isCut: boolean;
  readonly toLine: number;
}

const COMMAND = /^\*User (accepted|rejected) the command `/;
const LINKED = /^\*([A-Z][A-Za-z ]{2,40}) \[[^\n]*?\]\(([^\n]*)\) ?\*\s*$/;
const PLAIN =
  /^\*((?:Searched|Grep searched|Edited|Checked|Updated|Running|Ran|Asked|Read|Found|Created|Deleted|Generated|Viewed|Listed|Analyzed|Fetched|Browsed|Opened|Proposed|Retrieved|Saved|Executed|Called|Moved)\b[^*\n]{0,200})\*\s*$/;
const MOST_COMMAND_LINES = 2000;

/** The action that begins in a line, which stands alone between blank ones; null where none does. */
export function actionAt(
  lines: readonly DocumentLine[],
  index: number,
  text: string,
): Action | null {
  const line = lines[index];
  if (line === undefined || !line.body.startsWith('*')) return null;
  if ((lines[index - 1]?.body ?? '').trim() !== '') return null;
  const command = COMMAND.exec(line.body);
  if (command !== null) return commandAt(lines, index, text, command);
  const linked = LINKED.exec(line.body);
  if (linked?.[1] !== undefined && linked[2] !== undefined) {
    const start = line.start + line.body.lastIndexOf(`](${linked[2]})`) + 2;
    const given = { start, end: start + linked[2].length };
    return { name: linked[1].trim(), given, isRejected: false, isCut: false, toLine: index };
  }
  const [, words = null] = PLAIN.exec(line.body) ?? [];
  if (words === null) return null;
  const colon = words.indexOf(': ');
  const name = (colon < 0 ? words : words.slice(0, colon)).trim();
  const start = line.start + 1 + colon + 2;
  const given = colon < 0 ? null : { start, end: line.start + 1 + words.trimEnd().length };
  return { name, given, isRejected: false, isCut: false, toLine: index };
}

/**
 * A command may have lines of its own, and accents: it ends with the first line that closes both
 * marks. Where none does it is cut, and goes as far as nothing else begins: what the rest of a file
 * will add must not move it.
 */
function commandAt(
  lines: readonly DocumentLine[],
  index: number,
  text: string,
  [head, verdict]: RegExpExecArray,
): Action {
  const start = (lines[index]?.start ?? 0) + head.length;
  const isRejected = verdict === 'rejected';
  let last = index;
  for (let at = index; at < lines.length && at < index + MOST_COMMAND_LINES; at += 1) {
    const line = lines[at];
    if (line === undefined) break;
    // What was never closed must not swallow what comes after it.
    if (at > index && beginsOther(lines, at)) break;
    if (line.body.trim() !== '') last = at;
    if (!/`\*\s*$/.test(line.body)) continue;
    const end = line.start + line.body.lastIndexOf('`*');
    if (end < start) continue;
    return {
      name: 'Command',
      given: text.slice(start, end) === '' ? null : { start, end },
      isRejected,
      isCut: false,
      toLine: at,
    };
  }
  const given = { start, end: lines[last]?.end ?? start };
  const isEmpty = text.slice(start, given.end).trim() === '';
  return { name: 'Command', given: isEmpty ? null : given, isRejected, isCut: true, toLine: last };
}

function beginsOther(lines: readonly DocumentLine[], at: number): boolean {
  const body = lines[at]?.body ?? '';
  if (/^### (?:User Input|Planner Response)\s*$/.test(body)) return true;
  const isApart = (lines[at - 1]?.body ?? '').trim() === '';
  return isApart && [COMMAND, LINKED, PLAIN].some((pattern) => pattern.test(body));
}
