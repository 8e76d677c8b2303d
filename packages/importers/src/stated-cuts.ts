import type { Elision } from '@misstep/model';
import type { JsonView } from './json-view.ts';
import { firstLine } from './one-line.ts';

/** How a program says in a text that it cut it. */
export interface CutPattern {
  /** Anchored and bounded: a file that talks of cuts isn't one, and hostile text costs linear time. */
  readonly pattern: RegExp;
  readonly kind: Elision['kind'];
  /** The group that says how much is missing; 0 = it isn't said; 'each' = as many as there are marks. */
  readonly countGroup: number | 'each';
}

const MOST_MARKS = 10_000;

/** Every pattern that the text holds, once each, with what it says is missing. */
export function cutsByPatterns(
  patterns: readonly CutPattern[],
  text: string,
  pointer: string,
): Elision[] {
  const cuts: Elision[] = [];
  for (const { pattern, kind, countGroup } of patterns) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const marker = firstLine(match[0]);
    if (countGroup === 'each') {
      cuts.push({ pointer, kind, count: countMarks(pattern, text), marker });
      continue;
    }
    const digits = countGroup === 0 ? '' : (match[countGroup] ?? '').replaceAll(',', '');
    cuts.push({ pointer, kind, count: digits === '' ? null : Number(digits), marker });
  }
  return cuts;
}

function countMarks(pattern: RegExp, text: string): number {
  const every = new RegExp(pattern, `${pattern.flags}g`);
  let count = 0;
  while (count < MOST_MARKS && every.exec(text) !== null) count += 1;
  return count;
}

/** Marks of agents that keep their conversation as messages of a model's API, in what tools answered. */
const AGENT_CUTS: readonly CutPattern[] = [
  // SWE-agent says how much; its edit tool, and those modelled on it, don't.
  {
    pattern:
      /<response clipped><NOTE>Observations should not exceeded? \d{1,12} characters\. (\d{1,12}) characters were elided/,
    kind: 'characters',
    countGroup: 1,
  },
  {
    pattern: /<response clipped><NOTE>(?!Observations should)[^<]{0,80}/,
    kind: 'tail',
    countGroup: 0,
  },
  {
    pattern: /<elided_chars>\s{0,10}(\d{1,12}) characters elided\s{0,10}<\/elided_chars>/,
    kind: 'characters',
    countGroup: 1,
  },
  {
    pattern: /^\[\.\.\. Observation truncated due to length \.\.\.\]$/m,
    kind: 'characters',
    countGroup: 0,
  },
  {
    pattern: /^\.\._This content has been truncated to stay below \d{1,12} characters_\.\.$/m,
    kind: 'characters',
    countGroup: 0,
  },
];

/** What an agent says that it cut of a result: a text, or blocks with texts in them. */
export function cutsOfAgent(content: JsonView): Elision[] {
  if (content.text !== null) return cutsByPatterns(AGENT_CUTS, content.text, '');
  return content.items.flatMap((item, index) => {
    const text = item.get('text')?.text ?? null;
    return text === null ? [] : cutsByPatterns(AGENT_CUTS, text, `/${index}/text`);
  });
}

/** Marks of Roo Code and Cline in what their tools answered. */
const EDITOR_CUTS: readonly CutPattern[] = [
  { pattern: /^\[\.\.\.(\d{1,12}) lines omitted\.\.\.\]$/m, kind: 'lines', countGroup: 1 },
  {
    pattern: /^\[\.\.\.(\d{1,12}) characters omitted\.\.\.\]$/m,
    kind: 'characters',
    countGroup: 1,
  },
];

export function cutsOfEditor(text: string, pointer: string): Elision[] {
  return cutsByPatterns(EDITOR_CUTS, text, pointer);
}

/** Goose puts a large answer in a file and says so in its place. */
const STORED_CUTS: readonly CutPattern[] = [
  {
    pattern: /^The response returned from the tool call was larger \((\d{1,12}) characters\)/,
    kind: 'characters',
    countGroup: 1,
  },
];

export function cutsOfStored(text: string, pointer: string): Elision[] {
  return cutsByPatterns(STORED_CUTS, text, pointer);
}
