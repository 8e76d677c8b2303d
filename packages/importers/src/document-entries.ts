import { escapePointerSegment, parseJsonBytes, stringValue } from '@misstep/json';
import type { SourceReader } from './importer.ts';
import { Children, type ChildSpan } from './scan-json.ts';

/** A document that isn't made of lines is parsed as a whole up to here, which takes several times its size. */
export const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024;

/** The one list of a document that makes it large: its entries can be read one by one. */
export interface EntryList {
  /** Where it stands: '' = the document is the list. */
  readonly pointer: string;
  /** Of its `[`. */
  readonly offset: number;
  /** Keys beside it that hold lists or objects, which a reading of its entries leaves out. */
  readonly beside: readonly string[];
  /** Behind the document's last bracket; null = it is cut, or the list is the document. */
  readonly documentEnd: number | null;
}

export interface DocumentEntry {
  readonly offset: number;
  readonly length: number;
  readonly pointer: string;
  /** False for the last one of a document that is cut within it. */
  readonly closed: boolean;
}

/** HAR has its list two levels down; nothing known has it deeper. */
const MOST_LEVELS = 3;
const MOST_MEMBERS = 1000;
const [BOM, BLANKS] = [[0xef, 0xbb, 0xbf], new Set([0x20, 0x09, 0x0a, 0x0d])];
const [LIST, OBJECT] = [0x5b, 0x7b];

/** Null where the document begins with something else, or has no list that makes most of it. */
export async function findEntryList(
  reader: SourceReader,
  signal?: AbortSignal,
): Promise<EntryList | null> {
  const head = await reader.read(0, 4096);
  let at = BOM.every((byte, index) => head[index] === byte) ? BOM.length : 0;
  while (BLANKS.has(head[at] ?? 0)) at += 1;
  let offset = at;
  let pointer = '';
  let documentEnd: number | null = null;
  const beside: string[] = [];
  for (let level = 0; level <= MOST_LEVELS; level += 1) {
    const [opener] = await reader.read(offset, 1);
    if (opener === LIST) return { pointer, offset, beside, documentEnd };
    if (opener !== OBJECT) return null;
    const members: ChildSpan[] = [];
    const object = new Children(reader, offset);
    for await (const member of object.all(signal)) {
      if (members.push(member) > MOST_MEMBERS) return null;
    }
    if (level === 0) documentEnd = object.end;
    let largest: ChildSpan | null = null;
    for (const member of members) {
      if (largest === null || sizeOf(member) > sizeOf(largest)) largest = member;
    }
    if (largest === null || sizeOf(largest) * 2 < reader.sizeBytes) return null;
    for (const member of members) {
      if (member !== largest && (await holdsMore(reader, member))) {
        beside.push(await keyOf(reader, member));
      }
    }
    pointer += `/${escapePointerSegment(await keyOf(reader, largest))}`;
    offset = largest.offset;
  }
  return null;
}

/** The entries of a list in their order; what stands between them is not looked at. */
export class DocumentEntries {
  readonly #reader: SourceReader;
  readonly #list: EntryList;
  readonly #children: Children;

  constructor(reader: SourceReader, list: EntryList) {
    this.#reader = reader;
    this.#list = list;
    this.#children = new Children(reader, list.offset);
  }

  async *all(signal?: AbortSignal): AsyncGenerator<DocumentEntry> {
    let index = 0;
    for await (const { offset, end, closed } of this.#children.all(signal)) {
      yield { offset, length: end - offset, pointer: `${this.#list.pointer}/${index}`, closed };
      index += 1;
    }
  }

  /** When all entries were given: what stands behind the document; `cut` where it never ends. */
  async rest(): Promise<'cut' | { readonly offset: number; readonly length: number } | null> {
    const { pointer, documentEnd } = this.#list;
    const end = pointer === '' ? this.#children.end : documentEnd;
    if (end === null) return 'cut';
    const { sizeBytes } = this.#reader;
    for (let at = end; at < sizeBytes; at += REST_BYTES) {
      const bytes = await this.#reader.read(at, Math.min(REST_BYTES, sizeBytes - at));
      if (bytes.some((byte) => !BLANKS.has(byte))) return { offset: end, length: sizeBytes - end };
    }
    return null;
  }
}

const REST_BYTES = 65_536;

function sizeOf({ offset, end }: ChildSpan): number {
  return end - offset;
}

async function keyOf(reader: SourceReader, { key }: ChildSpan): Promise<string> {
  if (key === null) return '';
  const parsed = parseJsonBytes(await reader.read(key.offset, key.end - key.offset));
  const { root } = parsed.ok ? parsed.value : { root: null };
  return parsed.ok && root?.kind === 'string' ? stringValue(parsed.value, root) : '';
}

/** A list or an object that isn't empty. */
async function holdsMore(reader: SourceReader, member: ChildSpan): Promise<boolean> {
  const [opener] = await reader.read(member.offset, 1);
  if (opener !== LIST && opener !== OBJECT) return false;
  for await (const _child of new Children(reader, member.offset).all()) return true;
  return false;
}
