import type { JsonView } from './json-view.ts';

/** The objects with members of a list, or of so many of its first items; none where it is no list. */
export function objectsIn(list: JsonView | undefined, most = Number.POSITIVE_INFINITY): JsonView[] {
  if (list?.node.kind !== 'array') return [];
  const { items } = list.node;
  return (items.length > most ? items.slice(0, most) : items).flatMap((node, index) =>
    node.kind === 'object' && node.members.length > 0 ? [list.located(node, `/${index}`)] : [],
  );
}
