import {
  canonicalJson,
  encodeString,
  escapePointerSegment,
  insertAt,
  type JsonDocument,
  type JsonNode,
  nodeText,
  parseJson,
  removeAt,
  replaceAt,
  stringValue,
} from '@misstep/json';
import { type ArgumentDifference, fail, ok, type Result } from '@misstep/model';

/** The arguments that differ, in A's order, then B's. The error is one sentence. */
export function differencesBetween(
  textA: string,
  textB: string,
): Result<readonly ArgumentDifference[], string> {
  const a = readMembers(textA, 'A');
  if (!a.ok) return a;
  const b = readMembers(textB, 'B');
  if (!b.ok) return b;
  const names = new Set([...a.value.keys(), ...b.value.keys()]);
  const differences = [...names].flatMap((name): ArgumentDifference[] => {
    const mine = a.value.get(name) ?? null;
    const theirs = b.value.get(name) ?? null;
    if (mine?.canonical === theirs?.canonical) return [];
    return [{ name, a: mine?.text ?? null, b: theirs?.text ?? null }];
  });
  return ok(differences);
}

/**
 * A's text with some arguments as B has them; nothing else of the text changes. `fromB` says of
 * each difference whether B's value is taken; all of them give B's own text.
 */
export function mixArguments(
  textA: string,
  textB: string,
  differences: readonly ArgumentDifference[],
  fromB: readonly boolean[],
): string {
  if (fromB.every((each) => each)) return textB;
  let text = textA;
  for (const [index, { name, a, b }] of differences.entries()) {
    if (fromB[index] !== true) continue;
    const pointer = `/${escapePointerSegment(name)}`;
    const edited =
      b === null
        ? removeAt(text, pointer)
        : a === null
          ? insertAt(text, pointer, b)
          : replaceAt(text, pointer, b);
    if (!edited.ok) throw new Error(`Argument ${encodeString(name)}: ${edited.error.message}`);
    text = edited.value;
  }
  return text;
}

function readMembers(
  text: string,
  which: string,
): Result<ReadonlyMap<string, { text: string; canonical: string }>, string> {
  const parsed = parseJson(text);
  if (!parsed.ok) return fail(`The arguments of ${which} are not JSON. ${parsed.error.message}`);
  const { root } = parsed.value;
  if (root.kind !== 'object') return fail(`The arguments of ${which} are not one JSON object.`);
  const members = new Map<string, { text: string; canonical: string }>();
  for (const { key, value } of root.members) {
    const name = stringValue(parsed.value, key);
    if (members.has(name)) {
      return fail(
        `The arguments of ${which} have the key ${encodeString(name)} more than once, so it is not one argument that could be switched.`,
      );
    }
    members.set(name, textsOf(parsed.value, value));
  }
  return ok(members);
}

function textsOf(document: JsonDocument, node: JsonNode): { text: string; canonical: string } {
  return {
    text: nodeText(document, node),
    canonical: canonicalJson({ text: document.text, root: node }),
  };
}
