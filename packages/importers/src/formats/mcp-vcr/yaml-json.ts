import { ByteIndex } from '@misstep/json';
import type { SourceHash } from '@misstep/model';
import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
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

type Fault = 'damaged' | 'excessive';

/**
 * YAML text as JSON of ours whose values know their bytes; `damaged` where it is no YAML, though
 * less of it may be, `excessive` where it is too deep or large.
 */
export function yamlAsJson(
  bytes: Uint8Array,
  offset: number,
  sha256: SourceHash,
): JsonView | Fault {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const document = parseYaml(text);
  if (typeof document === 'string') return document;
  if (document.contents === null) return 'damaged';
  const targets = aliasTargets(document.contents);
  const writer = new JsonWriter(targets, text, new ByteIndex(bytes), offset);
  const fault = writer.write(document.contents);
  if (fault !== null) return fault;
  const whole = { offset, length: bytes.length, isText: false };
  const placed = writer.out.finish({ sha256, whole, bytes, bytesAt: offset });
  return placed === null
    ? 'damaged'
    : new JsonView({ kind: 'placed', placed }, placed.document.root, '');
}

function parseYaml(text: string): Document.Parsed | Fault {
  try {
    // Every scalar stays text: what a plain one means is decided below, as its writer meant it.
    const document = parseDocument(text, {
      schema: 'failsafe',
      uniqueKeys: false,
      logLevel: 'silent',
      keepSourceTokens: false,
    });
    if (document.errors.length === 0) return document;
    return document.errors.some(({ message }) => TOO_DEEP.test(message)) ? 'excessive' : 'damaged';
  } catch {
    // A stack that isn't deep enough for a hostile text.
    return 'excessive';
  }
}

/** The reader gives a stack that isn't deep enough as an error of the text. */
const TOO_DEEP = /call stack|recursion/i;

/**
 * What every alias stands for: the last node before it with its anchor. One walk for all; asking
 * the library for each would walk the whole document each time.
 */
function aliasTargets(root: unknown): ReadonlyMap<Alias, Node> {
  const targets = new Map<Alias, Node>();
  const anchors = new Map<string, Node>();
  const open: unknown[] = [root];
  while (open.length > 0) {
    const node = open.pop();
    if (isPair(node)) open.push(node.value, node.key);
    else if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target !== undefined) targets.set(node, target);
    } else if (isScalar(node) || isCollection(node)) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
      if (isCollection(node)) {
        for (let at = node.items.length - 1; at >= 0; at -= 1) open.push(node.items[at]);
      }
    }
  }
  return targets;
}

class JsonWriter {
  readonly out = new PlacedWriter();
  readonly #targets: ReadonlyMap<Alias, Node>;
  readonly #text: string;
  readonly #index: ByteIndex;
  readonly #offset: number;
  #left: number;

  constructor(targets: ReadonlyMap<Alias, Node>, text: string, index: ByteIndex, offset: number) {
    this.#targets = targets;
    this.#text = text;
    this.#index = index;
    this.#offset = offset;
    this.#left = Math.max(LEAST_ALLOWED, text.length * MOST_GROWTH);
  }

  /** Null where it is written. */
  write(node: unknown, depth = 0): Fault | null {
    if (depth > MOST_DEPTH || this.#left < 0) return 'excessive';
    if (isAlias(node)) {
      const target = this.#targets.get(node);
      return target === undefined ? 'damaged' : this.write(target, depth + 1);
    }
    if (isMap(node) || isSeq(node)) this.#place(node, false);
    if (isSeq(node)) return this.#list('[', node.items, ']', (item) => this.write(item, depth + 1));
    if (isMap(node)) {
      return this.#list('{', node.items, '}', (pair) => {
        if (!isPair(pair) || !isScalar(pair.key)) return 'damaged';
        this.#raw(`${JSON.stringify(String(pair.key.value))}:`);
        return this.write(pair.value, depth + 1);
      });
    }
    if (!isScalar(node)) {
      this.#raw('null');
      return null;
    }
    const value = String(node.value ?? '');
    const json = node.type === 'PLAIN' ? plainAsJson(value) : JSON.stringify(value);
    this.#place(node, json.startsWith('"') && this.#isWritten(node, value));
    this.#raw(json);
    return null;
  }

  #list(
    open: string,
    items: readonly unknown[],
    close: string,
    write: (item: unknown) => Fault | null,
  ): Fault | null {
    this.#raw(open);
    for (const [index, item] of items.entries()) {
      if (index > 0) this.#raw(',');
      const fault = write(item);
      if (fault !== null) return fault;
    }
    this.#raw(close);
    return null;
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
