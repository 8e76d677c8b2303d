import type { JsonDocument, JsonMember, JsonNode, JsonString } from './node.ts';
import { encodeString, stringValue } from './text.ts';

/** Names the rules below. Any change to them gets a new name. */
export const CANONICAL_VERSION = 'misstep-canonical-1';

/**
 * The canonical text of a document. This comment is the specification of `misstep-canonical-1`:
 *
 * 1. No white space outside strings.
 * 2. Object members are sorted by their decoded keys, compared as sequences of UTF-16 code units.
 *    Members with equal keys are all kept, in source order.
 * 3. Strings (keys too) are written in the shortest escape form: `\"`, `\\`, `\b`, `\f`, `\n`, `\r`
 *    and `\t`; other characters below U+0020 as `\u00xx` and lone surrogates as `\udxxx`, in lower
 *    case; every other character as itself.
 * 4. Numbers are written as in the source: `1.0` and `1` have different canonical texts.
 * 5. Array items keep their order; `true`, `false` and `null` are written so.
 *
 * Iterative.
 */
export function canonicalJson(doc: JsonDocument): string {
  const { text } = doc;
  let out = '';
  const open: Frame[] = [];
  const begin = (node: JsonNode): void => {
    switch (node.kind) {
      case 'array':
        out += '[';
        open.push({ items: node.items, members: null, next: 0 });
        break;
      case 'object':
        out += '{';
        open.push({ items: null, members: inKeyOrder(text, node.members), next: 0 });
        break;
      case 'string':
        out += shortestLiteral(text, node);
        break;
      case 'number':
        out += text.slice(node.start, node.end);
        break;
      case 'literal':
        out += String(node.value);
        break;
    }
  };
  begin(doc.root);
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    const member = frame.members?.[frame.next];
    const child = member === undefined ? frame.items?.[frame.next] : member.value;
    if (child === undefined) {
      open.pop();
      out += frame.items === null ? '}' : ']';
      continue;
    }
    if (frame.next > 0) out += ',';
    frame.next += 1;
    if (member !== undefined) out += `${shortestLiteral(text, member.key)}:`;
    begin(child);
  }
  return out;
}

/** An open array or object; the other of the two is null. */
interface Frame {
  readonly items: readonly JsonNode[] | null;
  readonly members: readonly JsonMember[] | null;
  next: number;
}

/** The members as they are where their keys stand in order already. */
function inKeyOrder(text: string, members: readonly JsonMember[]): readonly JsonMember[] {
  const keys = members.map(({ key }) => stringValue(text, key));
  if (keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') <= key)) return members;
  return members
    .map((member, index) => ({ key: keys[index] ?? '', member }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ member }) => member);
}

/** Nothing escaped, nothing to escape. */
const SHORTEST = /^"[ !#-[\]-\ud7ff\ue000-\uffff]*"$/;

/** The literal as written where it is the shortest already, which a strict literal mostly is. */
function shortestLiteral(text: string, node: JsonString): string {
  const raw = text.slice(node.start, node.end);
  if (SHORTEST.test(raw)) return raw;
  return encodeString(stringValue(text, node));
}
