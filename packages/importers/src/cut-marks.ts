import type { Elision } from '@misstep/model';
import { CLIENT_CUTS, type CutPattern, MAY_BE_CUT } from './cut-patterns.ts';
import type { JsonView } from './json-view.ts';
import { firstLine } from './one-line.ts';
import { type Range, textShownIn } from './shown-text.ts';

const MOST_MARKS = 10_000;
/** One by one so many marks of a text are told, so that the places of all can be held against each other. */
const MOST_TOLD = 1000;

/** Every mark of a client in a text that a tool answered, with what it says is missing. */
export function cutsInText(text: string, pointer: string): Elision[] {
  if (!MAY_BE_CUT.test(text)) return [];
  const cuts: Elision[] = [];
  const taken: Range[] = [];
  let shown: readonly Range[] | null = null;
  for (const cut of CUTS) {
    let told = 0;
    for (const match of text.matchAll(cut.pattern)) {
      const { index: start } = match;
      const end = start + match[0].length;
      // What a general pattern finds at a particular one's place is the same mark.
      if (taken.some((other) => start < other.end && other.start < end)) continue;
      shown ??= textShownIn(text);
      if (shown.some((range) => start >= range.start && end <= range.end)) continue;
      taken.push({ start, end });
      told += 1;
      const marker = firstLine(match[0]);
      cuts.push({ pointer, kind: cut.kind, count: countOf(cut, match, text), marker });
      if (cut.countGroup === 'each' || told >= MOST_TOLD) break;
    }
  }
  return cuts;
}

/** Every mark is looked for, not the first alone; each pattern is made for that once. */
const CUTS: readonly CutPattern[] = CLIENT_CUTS.map((cut) => ({
  ...cut,
  pattern: new RegExp(cut.pattern, `${cut.pattern.flags.replace('g', '')}g`),
}));

function countOf(cut: CutPattern, match: RegExpExecArray, text: string): number | null {
  const { pattern, countGroup, ofGroup } = cut;
  if (countGroup === 'each') return countMarks(pattern, text);
  if (countGroup === 0) return null;
  const number = (group: number): number => Number((match[group] ?? '').replaceAll(',', ''));
  const count = ofGroup === undefined ? number(countGroup) : number(ofGroup) - number(countGroup);
  return Number.isSafeInteger(count) && count >= 0 ? count : null;
}

function countMarks(pattern: RegExp, text: string): number {
  let count = 0;
  for (const _mark of text.matchAll(pattern)) {
    count += 1;
    if (count >= MOST_MARKS) break;
  }
  return count;
}

/** Where blocks of a result keep their text. */
const TEXT_KEYS = ['text', 'content', 'output', 'stdout', 'stderr', 'value'];

/** The marks in a result: a text, JSON in a text, or blocks and objects with texts in them. */
export function cutsInResult(content: JsonView | undefined): Elision[] {
  if (content === undefined) return [];
  if (content.text !== null) return cutsInText(content.text, '');
  const root = content.pointer.length;
  const of = (view: JsonView | undefined): Elision[] =>
    view?.text == null ? [] : cutsInText(view.text, view.pointer.slice(root));
  const texts = (view: JsonView): Elision[] => TEXT_KEYS.flatMap((key) => of(view.get(key)));
  if (content.isArray) return content.items.flatMap((item) => [...of(item), ...texts(item)]);
  const blocks = TEXT_KEYS.flatMap((key) => content.get(key)?.items ?? []);
  return [...texts(content), ...blocks.flatMap(texts)];
}
