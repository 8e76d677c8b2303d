import { readTolerant } from '@misstep/json';
import type { SourceHash } from '@misstep/model';
import type { SourceHead } from './importer.ts';
import { JsonView } from './json-view.ts';
import { objectsIn } from './listed-objects.ts';
import { upToDepth } from './shallow-text.ts';

const cache = new WeakMap<SourceHead, readonly JsonView[]>();
const MAX_VALUES = 40;
const MAX_ITEMS = 60;
const MAX_LINES_ABOVE = 20;
const DEEPEST = 1000;
const BEGINS_AS_JSON = /^\s*[[{]/;
/** Lines of something else above a document. */
const ABOVE_DOCUMENT = /^(?:[^{[\n]{0,300}\n){0,20}?[ \t]*(?=[{[])/;

/**
 * The first JSON objects and lists at the top of a source, for a sniff: one a line, or the
 * document as far as the head goes. Lines that are no JSON are left out. Empty where there is none.
 */
export function headValues(head: SourceHead): readonly JsonView[] {
  const known = cache.get(head);
  if (known !== undefined) return known;
  const values = readValues(head);
  cache.set(head, values);
  return values;
}

/**
 * The objects at the top of a source, in place of lists the objects in them. One of them alone says
 * little: the first may be cut, empty or a stranger's.
 */
export function headObjects(head: SourceHead): readonly JsonView[] {
  return headValues(head).flatMap((value) => (value.isArray ? firstObjects(value) : [value]));
}

/** The first of them: for what a document says of itself. */
export function headObject(head: SourceHead): JsonView | undefined {
  return headObjects(head)[0];
}

/** The objects with members among the first items of a list; none where it is no list. */
export function firstObjects(list: JsonView | undefined): JsonView[] {
  return objectsIn(list, MAX_ITEMS);
}

/**
 * What records say together of which each alone gets `scoreOf`: the best of their scores, whole
 * where it or a lower one holds for half of them, less where most are something else.
 */
export function scoreOfMost<T>(records: readonly T[], scoreOf: (record: T) => number): number {
  const scores = records.map(scoreOf);
  const share = scores.filter((score) => score > 0).length / Math.max(1, scores.length);
  return Math.max(0, ...scores) * Math.min(1, 0.5 + share);
}

/**
 * True where the values of a source stand one a line: the first that begins as JSON does, below a few
 * lines of something else, or the two behind it do where it is damaged (a line that the next could
 * complete begins a document). Told by these alone, so that it stays true however the source grows.
 */
export function isInLines({ lines, lineValues }: SourceHead): boolean {
  if (lines.length < 2) return false;
  const above = lines.slice(0, MAX_LINES_ABOVE);
  const first = above.findIndex((line) => BEGINS_AS_JSON.test(line));
  if (first < 0) return false;
  const isValue = (index: number): boolean => lineValues[index] !== undefined;
  return isValue(first) || (isValue(first + 1) && isValue(first + 2));
}

function readValues(head: SourceHead): JsonView[] {
  const { lines, lineValues } = head;
  const texts = lines.filter((_line, index) => lineValues[index] !== undefined);
  if (isInLines(head)) {
    // In a text that is mostly something else, JSON is a part of the text.
    if (lineValues[0] === undefined && texts.length < (lines.length - 1) / 2) return [];
    return texts.slice(0, MAX_VALUES).flatMap(placesOf);
  }
  if (BEGINS_AS_JSON.test(head.text.slice(0, 2000))) return placesOf(head.text);
  const above = ABOVE_DOCUMENT.exec(head.text)?.[0].length ?? 0;
  if (above === 0) return [];
  const text = head.text.slice(above);
  const read = readTolerant(upToDepth(text, DEEPEST));
  // In a text that goes on behind it, JSON is a part of the text.
  return read === null || /^\s*[^\s[{]/.test(text.slice(read.end)) ? [] : placesOf(text);
}

function placesOf(whole: string): JsonView[] {
  const text = upToDepth(whole, DEEPEST);
  const read = readTolerant(text);
  return read === null ? [] : [placeOf({ text, root: read.root })];
}

function placeOf(document: { text: string; root: JsonView['node'] }): JsonView {
  // Nobody follows this: a sniff only looks at what values are.
  const carrier = { sha256: '' as SourceHash, offset: 0, length: 0, pointer: '' };
  return new JsonView({ kind: 'inner', document, carrier }, document.root, '');
}
