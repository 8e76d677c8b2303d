import { looksLikeExchange } from './exchange-look.ts';
import { readLineHead } from './line-head.ts';
import type { TextLine } from './text-source.ts';

/** Where a bracketed text ends: the line and the column behind its closing bracket. */
export interface Extent {
  readonly line: number;
  readonly column: number;
  /** False where the closing bracket never comes: what is there is a beginning. */
  readonly closed: boolean;
}

const OPENERS = '{[(';
const CLOSERS = '}])';
const CONTINUES = /^\s*(?:["'“”{}[\](),:…\d+-]|\.\.\.|true\b|false\b|null\b|\/\/|[\w$]+\s*:)/;

/**
 * Follows brackets from an opening one over as many lines as it takes. A line belongs to the text
 * when it is inside a string, is indented deeper, or begins as JSON can; a line that begins
 * something else ends it. Each line is judged by itself and those before it, so that a text that
 * grows doesn't change what was read.
 */
export function bracketExtent(
  lines: readonly TextLine[],
  from: { line: number; column: number },
): Extent {
  const baseIndent = lines[from.line]?.indent ?? 0;
  const open: string[] = [];
  let quote = '';
  let before = '';
  let end: Extent = { line: from.line, column: from.column, closed: false };
  for (let number = from.line; number < lines.length; number += 1) {
    const line = lines[number];
    if (line === undefined) break;
    if (number > from.line) {
      if (line.blank) {
        if (quote !== '') break;
        continue;
      }
      if (!belongs(line, quote !== '', baseIndent)) break;
      // Between the members of an object no other value begins: it is of a text of its own.
      if (quote === '' && open.at(-1) === '{' && before === ',' && /^\s*[{[]/.test(line.body))
        break;
    }
    const { body } = line;
    for (let at = number === from.line ? from.column : 0; at < body.length; at += 1) {
      const character = body.charAt(at);
      if (quote !== '') {
        if (character === '\\') at += 1;
        else if (character === quote) quote = '';
      } else if (character === '"') quote = '"';
      else if (character === '“') quote = '”';
      else if (OPENERS.includes(character)) open.push(character);
      else if (CLOSERS.includes(character)) {
        open.pop();
        if (open.length === 0) return { line: number, column: at + 1, closed: true };
      }
    }
    // A renderer that cuts a string may leave its quote open.
    if (quote !== '' && /(?:…|\.\.\.)\s*$/.test(body)) quote = '';
    before = body.trimEnd().at(-1) ?? before;
    end = { line: number, column: body.length, closed: false };
  }
  return end;
}

function belongs(line: TextLine, inString: boolean, baseIndent: number): boolean {
  const { head, time } = readLineHead(line.body);
  if (time !== null || head.type === 'speaker') return false;
  if (head.type === 'structure' && head.fence !== null) return false;
  if ((head.type === 'call' || head.type === 'result') && head.sure) return false;
  // Quotes inside a string are escaped, so a call or result as it is written outside is no part of one.
  if (looksLikeExchange(line.body)) return false;
  if (inString) return true;
  if (head.type !== 'text' && line.indent <= baseIndent) return false;
  return line.indent > baseIndent || CONTINUES.test(line.body);
}
