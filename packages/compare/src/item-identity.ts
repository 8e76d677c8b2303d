import { type JsonDocument, type JsonNode, nodeText, numberKey, stringValue } from '@misstep/json';

export interface ListedItems {
  readonly document: JsonDocument;
  readonly items: readonly JsonNode[];
}

/** Names that say what a thing is, the surest first; where two serve alike, the first is taken. */
const OWN_NAMES = ['id', '_id', 'uuid', 'guid', 'key', 'ref', 'slug', 'name', 'uri', 'url', 'path'];
const ENDINGS = /(?:Id|ID|_id|Uuid|_uuid|Key|_key|Ref|_ref|Number|_number)$|^(?:number|code|sha)$/;

/** What each item is called, where the items of both lists are told apart by one member. */
export interface Identities {
  readonly left: readonly (string | null)[];
  readonly right: readonly (string | null)[];
}

/**
 * The member by which items of two lists are recognised: its values are unique in either list and
 * some stand in both; of several, the one with most values in both. Null = there is none.
 */
export function identitiesOf(left: ListedItems, right: ListedItems): Identities | null {
  let best: Identities | null = null;
  let mostShared = 0;
  for (const name of namesIn(left)) {
    const mine = uniqueValues(left, name);
    const live = mine === null ? null : uniqueValues(right, name);
    if (mine === null || live === null) continue;
    const here = new Set(live);
    const shared = mine.filter((value) => value !== null && here.has(value)).length;
    if (shared <= mostShared) continue;
    mostShared = shared;
    best = { left: mine, right: live };
  }
  return best;
}

function namesIn({ document, items }: ListedItems): string[] {
  const first = items.find((item) => item.kind === 'object');
  if (first?.kind !== 'object') return [];
  const names = first.members.map(({ key }) => stringValue(document, key));
  const own = OWN_NAMES.filter((name) => names.includes(name));
  return [...own, ...names.filter((name) => !own.includes(name) && ENDINGS.test(name))];
}

/** Null where a value stands twice. */
function uniqueValues({ document, items }: ListedItems, name: string): (string | null)[] | null {
  const seen = new Set<string>();
  const values: (string | null)[] = [];
  for (const item of items) {
    const value = identityIn(document, item, name);
    if (value !== null && seen.has(value)) return null;
    if (value !== null) seen.add(value);
    values.push(value);
  }
  return values;
}

function identityIn(document: JsonDocument, item: JsonNode, name: string): string | null {
  if (item.kind !== 'object') return null;
  const found = item.members.findLast(({ key }) => stringValue(document, key) === name)?.value;
  if (found?.kind === 'string') return JSON.stringify(stringValue(document, found));
  return found?.kind === 'number' ? numberKey(nodeText(document, found)) : null;
}
