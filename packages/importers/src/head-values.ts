import { readTolerant } from '@misstep/json';
import type { SourceHash } from '@misstep/model';
import type { SourceHead } from './importer.ts';
import { JsonView } from './json-view.ts';

const cache = new WeakMap<SourceHead, readonly JsonView[]>();
const MAX_VALUES = 40;

/**
 * The first JSON objects and lists at the top of a source, for a sniff: one a line, or the
 * document as far as the head goes. Empty where the source doesn't begin as JSON.
 */
export function headValues(head: SourceHead): readonly JsonView[] {
  const known = cache.get(head);
  if (known !== undefined) return known;
  const values = readValues(head);
  cache.set(head, values);
  return values;
}

/** The keys at the top of the first value; of the first item where it is a list. */
export function headKeys(head: SourceHead): ReadonlySet<string> {
  const first = headObject(head);
  return new Set(first === undefined ? [] : first.entries.keys());
}

/** The first value; its first item where it is a list. */
export function headObject(head: SourceHead): JsonView | undefined {
  const first = headValues(head)[0];
  return first?.isArray === true ? first.items[0] : first;
}

function readValues(head: SourceHead): JsonView[] {
  if (!/^\s*[[{]/.test(head.text.slice(0, 2000))) return [];
  const inLines = head.lines.length > 1 && head.lineValues[0] !== undefined;
  const texts = inLines
    ? head.lines.filter((_line, index) => head.lineValues[index] !== undefined)
    : [head.text];
  return texts.slice(0, MAX_VALUES).flatMap((text) => {
    const read = readTolerant(text);
    return read === null ? [] : [placeOf({ text, root: read.root })];
  });
}

function placeOf(document: { text: string; root: JsonView['node'] }): JsonView {
  // Nobody follows this: a sniff only looks at what values are.
  const carrier = { sha256: '' as SourceHash, offset: 0, length: 0, pointer: '' };
  return new JsonView({ kind: 'inner', document, carrier }, document.root, '');
}
