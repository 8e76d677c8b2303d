import {
  canonicalJson,
  decodeUtf8,
  type JsonDocument,
  member,
  parseJson,
  stringValue,
} from '@misstep/json';

const SESSION: ReadonlySet<string> = new Set(['sessionId']);
/** What is written around a record anew when another session takes it over. */
const ENVELOPE: ReadonlySet<string> = new Set([
  'sessionId',
  'forkedFrom',
  'uuid',
  'parentUuid',
  'logicalParentUuid',
  'sourceToolAssistantUUID',
  'timestamp',
  'isSidechain',
  'userType',
  'entrypoint',
  'cwd',
  'version',
  'gitBranch',
  'slug',
]);

/** `otherUsage`: a copy of an answer whose tokens were counted at another moment. */
export type Sameness = 'same' | 'otherUsage' | 'other';

/**
 * Whether a record's text is that of an earlier line's bytes, apart from the session id; of one in
 * another file (`isOfOther`) apart from all that is written around it.
 */
export function samenessOf(text: string, earlier: Uint8Array, isOfOther: boolean): Sameness {
  const [now, before] = [writtenRecord(text), writtenRecord(textOf(earlier))];
  const left = isOfOther ? ENVELOPE : SESSION;
  const [one, two] = [without(now, left), without(before, left)];
  if (saysTheSame(one, two)) return 'same';
  if (!one.includes(USAGE) && !two.includes(USAGE)) return 'other';
  const members = new Set([...left, 'message']);
  const isSame =
    saysTheSame(without(now, members), without(before, members)) &&
    saysTheSame(answerWithoutUsage(now), answerWithoutUsage(before));
  return isSame ? 'otherUsage' : 'other';
}

/** Copies that another program wrote differ in white space, escapes and the order of members; never in a number. */
function saysTheSame(one: string, two: string): boolean {
  if (one === two) return true;
  const [now, before] = [parseJson(`{${one}}`), parseJson(`{${two}}`)];
  return now.ok && before.ok && canonicalJson(now.value) === canonicalJson(before.value);
}

/** A record's text and what it says; null where it is no JSON. */
interface WrittenRecord {
  readonly text: string;
  readonly document: JsonDocument | null;
}

function writtenRecord(text: string): WrittenRecord {
  const parsed = parseJson(text);
  return { text, document: parsed.ok ? parsed.value : null };
}

/** A line as a plain value; undefined where it can't be read. */
export function plainRecord(line: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(line));
  } catch {
    return undefined;
  }
}

function textOf(line: Uint8Array): string {
  return decodeUtf8(line)
    .text.replace(/^\ufeff/, '')
    .replace(/\r{1,2}$/, '');
}

const USAGE = '"usage"';
const COUNTED: ReadonlySet<string> = new Set(['usage']);

/** What an answer with an id says; of anything else its text, so that nothing else is taken for one. */
function answerWithoutUsage({ text, document }: WrittenRecord): string {
  if (document === null) return text;
  const message = member(document, document.root, 'message');
  if (message?.kind !== 'object' || member(document, message, 'id') === undefined) return text;
  return membersWithout(document, message, COUNTED);
}

/** The text of a record's own members (not of those deeper down) without some of them. */
function without({ text, document }: WrittenRecord, left: ReadonlySet<string>): string {
  if (document?.root.kind !== 'object') return text;
  return membersWithout(document, document.root, left);
}

function membersWithout(
  document: JsonDocument,
  { members }: Extract<JsonDocument['root'], { kind: 'object' }>,
  left: ReadonlySet<string>,
): string {
  return members
    .filter(({ key }) => !left.has(stringValue(document, key)))
    .map(({ key, value }) => document.text.slice(key.start, value.end))
    .join();
}
