import { ByteIndex } from '@misstep/json';
import type { SourceHash } from '@misstep/model';
import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
} from 'yaml';
import { JsonView } from '../../json-view.ts';
import { PlacedWriter } from '../../placed-json.ts';

/** Aliases may multiply a text without bound; what is written stays within this many times its size. */
const MOST_GROWTH = 20;
const LEAST_ALLOWED = 100_000;
/** The YAML reader goes one call deeper for each level. */
const MOST_DEPTH = 200;

/** YAML text as JSON of ours whose values know their bytes; null where it is no YAML, or too deep or large. */
export function yamlAsJson(bytes: Uint8Array, offset: number, sha256: SourceHash): JsonView | null {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const document = parseYaml(text);
  if (document === null || document.contents === null) return null;
  const writer = new JsonWriter(document, text, new ByteIndex(bytes), offset);
  if (!writer.write(document.contents)) return null;
  const whole = { offset, length: bytes.length, isText: false };
  const placed = writer.out.finish({ sha256, whole, bytes, bytesAt: offset });
  return placed === null
    ? null
    : new JsonView({ kind: 'placed', placed }, placed.document.root, '');
}

function parseYaml(text: string): Document.Parsed | null {
  try {
    // Every scalar stays text: what a plain one means is decided below, as its writer meant it.
    const document = parseDocument(text, {
      schema: 'failsafe',
      uniqueKeys: false,
      logLevel: 'silent',
      keepSourceTokens: false,
    });
    return document.errors.length === 0 ? document : null;
  } catch {
    // A stack that isn't deep enough for a hostile text.
    return null;
  }
}

class JsonWriter {
  readonly out = new PlacedWriter();
  readonly #document: Document.Parsed;
  readonly #text: string;
  readonly #index: ByteIndex;
  readonly #offset: number;
  #left: number;

  constructor(document: Document.Parsed, text: string, index: ByteIndex, offset: number) {
    this.#document = document;
    this.#text = text;
    this.#index = index;
    this.#offset = offset;
    this.#left = Math.max(LEAST_ALLOWED, text.length * MOST_GROWTH);
  }

  /** False where it is too deep or too much. */
  write(node: unknown, depth = 0): boolean {
    if (depth > MOST_DEPTH || this.#left < 0) return false;
    if (isAlias(node)) {
      const target = node.resolve(this.#document);
      return target !== undefined && this.write(target, depth + 1);
    }
    if (isMap(node) || isSeq(node)) this.#place(node, false);
    if (isSeq(node)) return this.#list('[', node.items, ']', (item) => this.write(item, depth + 1));
    if (isMap(node)) {
      return this.#list('{', node.items, '}', (pair) => {
        if (!isPair(pair) || !isScalar(pair.key)) return false;
        this.#raw(`${JSON.stringify(String(pair.key.value))}:`);
        return this.write(pair.value, depth + 1);
      });
    }
    if (!isScalar(node)) {
      this.#raw('null');
      return true;
    }
    const value = String(node.value ?? '');
    const json = node.type === 'PLAIN' ? plainAsJson(value) : JSON.stringify(value);
    this.#place(node, json.startsWith('"') && this.#isWritten(node, value));
    this.#raw(json);
    return true;
  }

  #list(open: string, items: readonly unknown[], close: string, write: (item: unknown) => boolean) {
    this.#raw(open);
    for (const [index, item] of items.entries()) {
      if (index > 0) this.#raw(',');
      if (!write(item)) return false;
    }
    this.#raw(close);
    return true;
  }

  #raw(json: string): void {
    this.#left -= json.length;
    this.out.raw(json);
  }

  #place({ range }: Pick<Node, 'range'>, isText: boolean): void {
    if (range === null || range === undefined) return;
    const [start, end] = range;
    const from = this.#index.toByte(start);
    const length = this.#index.toByte(end) - from;
    this.out.place({ offset: this.#offset + from, length, isText });
  }

  /** True where the bytes are the value itself: a plain scalar on one line. */
  #isWritten({ range }: Pick<Node, 'range'>, value: string): boolean {
    return range != null && this.#text.slice(range[0], range[1]) === value;
  }
}

/**
 * What a plain scalar means to PyYAML, which writes these files: numbers need a dot before an
 * exponent, and words such as `yes` are quoted where they are text.
 */
function plainAsJson(value: string): string {
  if (value === '' || /^(?:~|null|Null|NULL)$/.test(value)) return 'null';
  if (/^(?:true|True|TRUE)$/.test(value)) return 'true';
  if (/^(?:false|False|FALSE)$/.test(value)) return 'false';
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+(?:[eE][+-]\d+)?)?$/.test(value)) return value;
  return JSON.stringify(value);
}
