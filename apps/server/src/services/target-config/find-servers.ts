import {
  escapePointerSegment,
  type JsonDocument,
  type JsonNode,
  type JsonObject,
  member,
  stringValue,
} from '@misstep/json';

/** One server of a configuration, as it stands in the text. */
export interface FoundServer {
  readonly entry: string;
  /** JSON Pointer of the object that it stands in. */
  readonly list: string;
  readonly node: JsonNode;
  /** Its key stands in the list more than once; clients take the last. */
  readonly isRepeated: boolean;
}

/** A VS Code `inputs` entry: what a person is asked for. */
export interface AskedInput {
  readonly label: string | null;
  readonly isPassword: boolean;
}

/** Keys under which clients keep their servers, by the way to them. */
const LISTS: readonly (readonly string[])[] = [
  ['mcpServers'],
  ['servers'],
  ['mcp', 'servers'],
  ['mcp', 'mcpServers'],
  ['mcp_servers'],
  ['context_servers'],
  ['amp.mcpServers'],
  ['mcp'],
];

/** Every server of a configuration, in the order of the text. */
export function findServers(document: JsonDocument): FoundServer[] {
  const found: FoundServer[] = [];
  const look = (root: JsonNode | undefined, base: readonly string[]) => {
    for (const keys of LISTS) {
      const list = keys.reduce<JsonNode | undefined>(
        (node, key) => member(document, node, key),
        root,
      );
      if (list?.kind !== 'object') continue;
      const place = pointerOf([...base, ...keys]);
      for (const each of serversOf(document, list, place, keys.join('/'))) found.push(each);
    }
  };
  look(document.root, []);
  // Claude Code keeps servers by project in the file of the user.
  const projects = member(document, document.root, 'projects');
  if (projects?.kind === 'object') {
    for (const { key, value } of projects.members) {
      look(value, ['projects', stringValue(document, key)]);
    }
  }
  return found;
}

/** By the name that stands in `${input:name}`. */
export function findInputs(document: JsonDocument): ReadonlyMap<string, AskedInput> {
  const { root } = document;
  const inputs = new Map<string, AskedInput>();
  for (const list of [
    member(document, root, 'inputs'),
    member(document, member(document, root, 'mcp'), 'inputs'),
  ]) {
    if (list?.kind !== 'array') continue;
    for (const item of list.items) {
      const textAt = (key: string) => {
        const node = member(document, item, key);
        return node?.kind === 'string' ? stringValue(document, node) : null;
      };
      const password = member(document, item, 'password');
      const id = textAt('id');
      if (id === null) continue;
      inputs.set(`input:${id}`, {
        label: textAt('description'),
        isPassword: password?.kind === 'literal' && password.value === true,
      });
    }
  }
  return inputs;
}

function serversOf(
  document: JsonDocument,
  list: JsonObject,
  pointer: string,
  way: string,
): FoundServer[] {
  const entries = list.members.map(({ key, value }) => ({
    entry: stringValue(document, key),
    node: value,
  }));
  const counts = new Map<string, number>();
  for (const { entry } of entries) counts.set(entry, (counts.get(entry) ?? 0) + 1);
  return (
    entries
      // `mcp` and `servers` also hold other things, e.g. the lists themselves.
      .filter(
        ({ node }) => !(way === 'mcp' || way === 'servers') || looksLikeServer(document, node),
      )
      .map(({ entry, node }) => ({
        entry,
        node,
        list: pointer,
        isRepeated: (counts.get(entry) ?? 0) > 1,
      }))
  );
}

function looksLikeServer(document: JsonDocument, node: JsonNode): boolean {
  return ['command', 'url', 'httpUrl', 'serverUrl'].some(
    (key) => member(document, node, key) !== undefined,
  );
}

function pointerOf(keys: readonly string[]): string {
  return keys.map((key) => `/${escapePointerSegment(key)}`).join('');
}
