import { canonicalJson, nodeText, parseJson, stringValue } from '@misstep/json';

/** One member of an arguments object as it is written. */
export interface ArgumentLine {
  readonly name: string;
  /** The key and the value, character for character. */
  readonly key: string;
  readonly value: string;
  readonly differs: boolean;
}

/** The members of A's and of B's arguments, and which of them the other has otherwise or not at all. */
export function argumentLines(
  textA: string,
  textB: string,
): { a: readonly ArgumentLine[]; b: readonly ArgumentLine[] } {
  const [a, b] = [membersOf(textA), membersOf(textB)];
  const mark = (
    own: ReadonlyMap<string, Member>,
    other: ReadonlyMap<string, Member>,
  ): ArgumentLine[] =>
    [...own].map(([name, { key, value, canonical }]) => ({
      name,
      key,
      value,
      differs: other.get(name)?.canonical !== canonical,
    }));
  return { a: mark(a, b), b: mark(b, a) };
}

interface Member {
  readonly key: string;
  readonly value: string;
  readonly canonical: string;
}

function membersOf(text: string): ReadonlyMap<string, Member> {
  const members = new Map<string, Member>();
  const parsed = parseJson(text);
  if (!parsed.ok || parsed.value.root.kind !== 'object') return members;
  const document = parsed.value;
  for (const { key, value } of parsed.value.root.members) {
    members.set(stringValue(document, key), {
      key: nodeText(document, key),
      value: nodeText(document, value),
      canonical: canonicalJson({ text: document.text, root: value }),
    });
  }
  return members;
}

/** For each name its shortest beginning that no other has: labels with little room. */
export function shortNames(names: readonly string[]): string[] {
  return names.map((name) => {
    const others = names.filter((other) => other !== name);
    const characters = [...name];
    for (let length = 1; length < characters.length; length += 1) {
      const start = characters.slice(0, length).join('');
      if (!others.some((other) => other.startsWith(start))) return start;
    }
    return name;
  });
}
