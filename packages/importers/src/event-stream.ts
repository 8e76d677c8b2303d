import { readTolerant } from '@misstep/json';
import type { SourceHash } from '@misstep/model';
import { headValues } from './head-values.ts';
import type { SourceHead } from './importer.ts';
import { JsonView } from './json-view.ts';
import { looksLikeSse, readSseData } from './sse-events.ts';

const FIELD = /^(?::|(?:event|data|id|retry)(?::|$))/;
const MOST_VALUES = 40;
const cache = new WeakMap<SourceHead, readonly JsonView[]>();

/** True where a source is an event stream as it went over the line, with JSON as data. */
export function isEventStream({ text, lines }: SourceHead): boolean {
  if (!looksLikeSse(text)) return false;
  const first = lines.slice(0, 20);
  return first.every((line) => FIELD.test(line)) && first.some((line) => /^data: ?[{[]/.test(line));
}

/** `headValues`, where a source may be an event stream as well: the data of its first events. */
export function headValuesOrEvents(head: SourceHead): readonly JsonView[] {
  if (!isEventStream(head)) return headValues(head);
  const known = cache.get(head);
  if (known !== undefined) return known;
  const carrier = { sha256: '' as SourceHash, offset: 0, length: 0, pointer: '' };
  const values = readSseData(head.text)
    .slice(0, MOST_VALUES)
    .flatMap((data) => {
      const read = /^\s*[{[]/.test(data) ? readTolerant(data) : null;
      if (read === null) return [];
      const document = { text: data, root: read.root };
      // Nobody follows this: a sniff only looks at what values are.
      return [new JsonView({ kind: 'inner', document, carrier }, read.root, '')];
    });
  cache.set(head, values);
  return values;
}
