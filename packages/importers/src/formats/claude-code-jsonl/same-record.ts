import { decodeUtf8, type JsonDocument, parseJson, stringValue } from '@misstep/json';

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

/**
 * True where a record's text is that of an earlier line's bytes, apart from the session id; of one in
 * another file (`isOfOther`) apart from all that is written around it.
 */
export function isSameRecord(text: string, earlier: Uint8Array, isOfOther: boolean): boolean {
  const before = decodeUtf8(earlier)
    .text.replace(/^\ufeff/, '')
    .replace(/\r{1,2}$/, '');
  const left = isOfOther ? ENVELOPE : SESSION;
  return without(text, left) === without(before, left);
}

/** The text of a record's own members (not of those deeper down) without some of them. */
function without(text: string, left: ReadonlySet<string>): string {
  const parsed = parseJson(text);
  if (!parsed.ok || parsed.value.root.kind !== 'object') return text;
  const document: JsonDocument = parsed.value;
  return parsed.value.root.members
    .filter(({ key }) => !left.has(stringValue(document, key)))
    .map(({ key, value }) => text.slice(key.start, value.end))
    .join();
}
