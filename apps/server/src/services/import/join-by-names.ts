/**
 * The items put together that share a name, directly or over others; an item without a name is alone. In
 * the order in which they were given. Each set takes the smaller one in, so that many of one name take
 * no longer than few.
 */
export function joinByNames<Item>(
  items: readonly Item[],
  namesOf: (item: Item) => readonly string[],
): Item[][] {
  const sets = new Set<Item[]>();
  const byName = new Map<string, Item[]>();
  for (const item of items) {
    const names = namesOf(item);
    let own: Item[] = [];
    for (const name of names) {
      const known = byName.get(name);
      if (known === undefined || known === own) continue;
      const [larger, smaller] = known.length >= own.length ? [known, own] : [own, known];
      for (const member of smaller) larger.push(member);
      for (const member of smaller) for (const each of namesOf(member)) byName.set(each, larger);
      sets.delete(smaller);
      own = larger;
    }
    own.push(item);
    sets.add(own);
    for (const name of names) byName.set(name, own);
  }
  const places = new Map(items.map((item, index) => [item, index]));
  const place = (item: Item | undefined) => (item === undefined ? 0 : (places.get(item) ?? 0));
  for (const set of sets) set.sort((a, b) => place(a) - place(b));
  return [...sets].sort(([a], [b]) => place(a) - place(b));
}
