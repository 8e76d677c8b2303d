import { type JsonDocument, member, nodeText, stringValue } from '@misstep/json';

/** A string argument; undefined where it is absent or no string. */
export function stringArgument(document: JsonDocument, name: string): string | undefined {
  const node = member(document, document.root, name);
  return node?.kind === 'string' ? stringValue(document, node) : undefined;
}

/** A number argument as a double (limits and amounts only, never ids). */
export function numberArgument(document: JsonDocument, name: string): number | undefined {
  const node = member(document, document.root, name);
  return node?.kind === 'number' ? Number(nodeText(document, node)) : undefined;
}
