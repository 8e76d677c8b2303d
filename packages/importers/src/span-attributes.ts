import type { Origin } from '@misstep/model';
import { assembledView, type JsonView } from './json-view.ts';
import { writeObject } from './write-object.ts';

export type Attributes = ReadonlyMap<string, JsonView>;

/** The first of these attributes that is there and isn't null. */
export function attribute(attributes: Attributes, ...keys: readonly string[]): JsonView | null {
  for (const key of keys) {
    const place = attributes.get(key);
    if (place !== undefined && !place.isNull) return place;
  }
  return null;
}

/** The first of the keys that `attribute` would take. */
export function attributeKey(attributes: Attributes, keys: readonly string[]): string | undefined {
  return keys.find((key) => attribute(attributes, key) !== null);
}

export function textAttribute(attributes: Attributes, ...keys: readonly string[]): string | null {
  for (const key of keys) {
    const place = attributes.get(key);
    const text = place?.text ?? (place?.node.kind === 'number' ? place.written : null);
    if (text !== null && text !== undefined && text !== '') return text;
  }
  return null;
}

export function countAttribute(attributes: Attributes, ...keys: readonly string[]): number | null {
  for (const key of keys) {
    const count = attributes.get(key)?.count ?? null;
    if (count !== null) return count;
  }
  return null;
}

/** A list or object of message JSON: as it stands, or as the string of an attribute holds it. */
export function structuredAttribute(
  attributes: Attributes,
  ...keys: readonly string[]
): JsonView | null {
  const place = attribute(attributes, ...keys);
  if (place === null) return null;
  if (place.text === null) return place;
  const inner = place.unwrapped();
  return inner === place || inner.text !== null ? null : inner;
}

interface Branch {
  readonly children: Map<string, Branch>;
  leaf: JsonView | null;
}

/** More parts than this in one flattened key are no message. */
const MAX_DEPTH = 24;

/**
 * Flattened lists (`llm.input_messages.0.message.role`, `gen_ai.prompt.10.content`) put together
 * again, in number order; null where there are none. What comes out has no bytes of its own: it is
 * carried by `carrier`, its values as they are written in the source.
 */
export function unflattened(
  attributes: Attributes,
  prefix: string,
  carrier: Origin,
): JsonView | null {
  const root: Branch = { children: new Map(), leaf: null };
  for (const [key, place] of attributes) {
    if (!key.startsWith(`${prefix}.`)) continue;
    const segments = key.slice(prefix.length + 1).split('.');
    if (segments.length > MAX_DEPTH || !/^\d{1,9}$/.test(segments[0] ?? '')) continue;
    let branch = root;
    for (const segment of segments) {
      let next = branch.children.get(segment);
      if (next === undefined) {
        next = { children: new Map(), leaf: null };
        branch.children.set(segment, next);
      }
      branch = next;
    }
    branch.leaf = place;
  }
  return root.children.size === 0 ? null : assembledView(writeBranch(root), carrier);
}

/** The depth is bounded by MAX_DEPTH. */
function writeBranch(branch: Branch): string {
  if (branch.children.size === 0) return branch.leaf?.written ?? 'null';
  const entries = [...branch.children];
  if (entries.every(([key]) => /^\d{1,9}$/.test(key))) {
    entries.sort(([a], [b]) => Number(a) - Number(b));
    return `[${entries.map(([, each]) => writeBranch(each)).join(',')}]`;
  }
  return writeObject(entries.map(([key, each]) => [key, writeBranch(each)]));
}
