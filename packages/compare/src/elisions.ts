import { type JsonNode, resolvePointer, splitPointer, type TolerantDocument } from '@misstep/json';
import type { ReadVersion } from './version.ts';

export type JsonElision = TolerantDocument['elisions'][number];

/**
 * What a version says it cut, found by the node that it concerns. Elisions name their place by
 * pointer; a deep tree has too many and too long pointers to look each up.
 */
export class ElisionIndex {
  readonly #byNode = new Map<JsonNode, JsonElision[]>();
  /** Values that were cut whole have no node: they are found by their container and last segment. */
  readonly #absent = new Map<JsonNode, Map<string, JsonElision[]>>();

  constructor(version: ReadVersion) {
    const tree = { text: version.document.text, root: version.root };
    for (const elision of version.elisions) {
      const node = resolvePointer(tree, elision.pointer);
      if (node !== undefined) push(this.#byNode, node, elision);
      else this.#addAbsent(tree, elision);
    }
  }

  /** Elisions of, or within the container of, a node that is there. */
  of(node: JsonNode): readonly JsonElision[] {
    return this.#byNode.get(node) ?? [];
  }

  /** Elisions of a whole value that should stand in `container` at `key`. */
  ofAbsent(container: JsonNode, key: string): readonly JsonElision[] {
    return this.#absent.get(container)?.get(key) ?? [];
  }

  #addAbsent(tree: { text: string; root: JsonNode }, elision: JsonElision): void {
    const container = resolvePointer(
      tree,
      elision.pointer.slice(0, elision.pointer.lastIndexOf('/')),
    );
    const segment = splitPointer(elision.pointer)?.at(-1);
    if (container === undefined || segment === undefined) return;
    const keys = this.#absent.get(container) ?? new Map<string, JsonElision[]>();
    this.#absent.set(container, keys);
    push(keys, segment.key, elision);
  }
}

function push<Key>(map: Map<Key, JsonElision[]>, key: Key, elision: JsonElision): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [elision]);
  else list.push(elision);
}
