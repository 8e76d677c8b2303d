import type { JsonDocument, JsonNode } from './node.ts';

/** Indentation stops growing here: at depth 100,000 it would be gigabytes of spaces. */
const DEEPEST_INDENT = 200;

export interface PrintOptions {
  /** Spaces a level; null or 0 (the default) prints compactly. */
  indent?: number | null;
}

/**
 * Prints a document with every token as it was written: number text, string literals, key order and
 * duplicate keys. Only the white space is new. Indentation does not grow beyond 200 levels. Iterative.
 */
export function printJson(doc: JsonDocument, options: PrintOptions = {}): string {
  return printNode(doc.text, doc.root, options);
}

/** `printJson` for one node of a document text. */
export function printNode(text: string, root: JsonNode, options: PrintOptions = {}): string {
  const indent = options.indent ?? 0;
  const out: string[] = [];
  const colon = indent > 0 ? ': ' : ':';
  const open: { node: JsonNode; next: number }[] = [];
  const newline = (depth: number) => {
    if (indent > 0) out.push('\n', ' '.repeat(indent * Math.min(depth, DEEPEST_INDENT)));
  };
  let node: JsonNode | undefined = root;
  for (;;) {
    if (node !== undefined) {
      const size: number = childCount(node);
      if (size > 0) {
        out.push(node.kind === 'array' ? '[' : '{');
        open.push({ node, next: 0 });
      } else if (node.kind === 'array') {
        out.push('[]');
      } else if (node.kind === 'object') {
        out.push('{}');
      } else {
        out.push(text.slice(node.start, node.end));
      }
    }
    const frame = open[open.length - 1];
    if (frame === undefined) return out.join('');
    const container = frame.node;
    if (frame.next === childCount(container)) {
      open.pop();
      newline(open.length);
      out.push(container.kind === 'array' ? ']' : '}');
      node = undefined;
      continue;
    }
    if (frame.next > 0) out.push(',');
    newline(open.length);
    if (container.kind === 'array') {
      node = container.items[frame.next];
    } else if (container.kind === 'object') {
      const each = container.members[frame.next];
      if (each !== undefined) out.push(text.slice(each.key.start, each.key.end), colon);
      node = each?.value;
    }
    frame.next += 1;
  }
}

function childCount(node: JsonNode): number {
  if (node.kind === 'array') return node.items.length;
  if (node.kind === 'object') return node.members.length;
  return 0;
}
