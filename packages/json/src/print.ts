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
  const out = new TokenOutput(text);
  const open: { node: JsonNode; next: number }[] = [];
  const newline = (depth: number) => {
    if (indent > 0) out.space(`\n${' '.repeat(indent * Math.min(depth, DEEPEST_INDENT))}`);
  };
  let node: JsonNode | undefined = root;
  for (;;) {
    if (node !== undefined) {
      const size: number = childCount(node);
      if (node.kind !== 'array' && node.kind !== 'object') {
        out.token(node.start, node.end);
      } else {
        out.token(node.start, node.start + 1);
        if (size > 0) open.push({ node, next: 0 });
        else out.mark(node.kind === 'array' ? ']' : '}');
      }
    }
    const frame = open[open.length - 1];
    if (frame === undefined) return out.finish();
    const container = frame.node;
    if (frame.next === childCount(container)) {
      open.pop();
      newline(open.length);
      out.mark(container.kind === 'array' ? ']' : '}');
      node = undefined;
      continue;
    }
    if (frame.next > 0) out.mark(',');
    newline(open.length);
    if (container.kind === 'array') {
      node = container.items[frame.next];
    } else if (container.kind === 'object') {
      const each = container.members[frame.next];
      if (each !== undefined) {
        out.token(each.key.start, each.key.end);
        out.mark(':');
        if (indent > 0) out.space(' ');
      }
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

/** Collects output; what follows on in the source is copied as one run, not token by token. */
class TokenOutput {
  readonly #text: string;
  #out = '';
  #runStart = 0;
  #runEnd = 0;

  constructor(text: string) {
    this.#text = text;
  }

  token(start: number, end: number): void {
    if (start !== this.#runEnd) {
      this.#flush();
      this.#runStart = start;
    }
    this.#runEnd = end;
  }

  /** Punctuation, taken from the source where it stands right there. */
  mark(character: string): void {
    if (this.#text.charAt(this.#runEnd) === character) this.#runEnd += 1;
    else this.space(character);
  }

  /** Text that is not in the source. */
  space(piece: string): void {
    this.#flush();
    this.#out += piece;
    this.#runStart = this.#runEnd;
  }

  finish(): string {
    this.#flush();
    return this.#out;
  }

  #flush(): void {
    if (this.#runEnd > this.#runStart) this.#out += this.#text.slice(this.#runStart, this.#runEnd);
    this.#runStart = this.#runEnd;
  }
}
