import { type JsonDocument, type JsonNode, listPointers } from '@misstep/json';

/** A cut within a document, as the tolerant reader reports it. */
export interface CutInDocument {
  readonly pointer: string;
  readonly kind:
    | 'items'
    | 'members'
    | 'characters'
    | 'lines'
    | 'bytes'
    | 'tokens'
    | 'value'
    | 'tail';
  readonly count: number | null;
  /** UTF-16 offset of the marker. */
  readonly start: number;
  readonly marker: string;
}

export interface LineToken {
  readonly kind: 'punctuation' | 'key' | 'value';
  readonly text: string;
}

/** One line of a value laid out over lines. Every token is as it was written. */
export interface ValueLine {
  readonly number: number;
  readonly indent: number;
  /** JSON Pointer of the value that begins on this line; null on closing lines and cuts. */
  readonly pointer: string | null;
  readonly tokens: readonly LineToken[];
  /** A cut that stands here: alone on its line, or behind the string it shortens. */
  readonly cut: CutInDocument | null;
  /** A later duplicate of the key hides this member from most readers. */
  readonly shadowed: boolean;
}

export interface ValueLines {
  readonly lines: readonly ValueLine[];
  /** Lines left out because of `mostLines`. */
  readonly omittedLines: number;
  /** Number of the last line, cut ones counted in. */
  readonly lastNumber: number;
}

interface OpenContainer {
  readonly node: JsonNode;
  readonly depth: number;
  readonly closer: string;
  /** Cuts of this container that are still to come, by place. */
  readonly cuts: CutInDocument[];
  remaining: number;
  /** The recording ends inside it: its closing bracket was never recorded. */
  isCutOff: boolean;
}

const DEEPEST_INDENT = 40;

/**
 * Lays a document out, one value a line. Line numbers jump over what a cut leaves out: 20 items
 * missing after line 5 make the next line 25. Iterative, so that depth costs nothing.
 */
export function listValueLines(
  doc: JsonDocument,
  cuts: readonly CutInDocument[],
  mostLines: number,
): ValueLines {
  const { byContainer, ofStrings } = sortCuts(cuts);
  const lines: ValueLine[] = [];
  const open: OpenContainer[] = [];
  let number = 0;
  let omittedLines = 0;
  const push = (
    indent: number,
    pointer: string | null,
    tokens: LineToken[],
    cut: CutInDocument | null = null,
    shadowed = false,
  ) => {
    number += 1;
    if (lines.length < mostLines) {
      const shown = Math.min(indent, DEEPEST_INDENT);
      lines.push({ number, indent: shown, pointer, tokens, cut, shadowed });
    } else omittedLines += 1;
    // The line of a cut stands for its first missing one.
    if (cut !== null && tokens.length === 0 && countsLines(cut)) {
      number += Math.max(0, (cut.count ?? 1) - 1);
    }
  };
  const pushCutsBefore = (container: OpenContainer, offset: number) => {
    for (
      let cut = container.cuts[0];
      cut !== undefined && cut.start < offset;
      cut = container.cuts[0]
    ) {
      container.cuts.shift();
      push(container.depth + 1, null, [], cut);
    }
  };
  const close = () => {
    const container = open.pop();
    if (container === undefined) return;
    pushCutsBefore(container, Number.POSITIVE_INFINITY);
    if (container.isCutOff) return;
    const comma = moreFollows(open.at(-1));
    push(container.depth, null, [punctuation(container.closer + comma)]);
  };

  for (const { pointer, node, depth, member, shadowed } of listPointers(doc)) {
    while (open.length > depth) close();
    const parent = open.at(-1);
    if (parent !== undefined) {
      pushCutsBefore(parent, member?.key.start ?? node.start);
      parent.remaining -= 1;
    }
    const tokens: LineToken[] = [];
    if (member !== null) {
      tokens.push({ kind: 'key', text: doc.text.slice(member.key.start, member.key.end) });
      tokens.push(punctuation(': '));
    }
    const children = childCount(node);
    // Looking a pointer up makes its whole text; at great depth that is what would cost.
    const own = cuts.length === 0 ? [] : (byContainer.get(pointer) ?? []);
    if (children + own.length > 0 && (node.kind === 'array' || node.kind === 'object')) {
      tokens.push(punctuation(node.kind === 'array' ? '[' : '{'));
      push(depth, pointer, tokens, null, shadowed);
      open.push({
        node,
        depth,
        closer: node.kind === 'array' ? ']' : '}',
        cuts: [...own],
        remaining: children,
        isCutOff: own.some((cut) => cut.kind === 'tail'),
      });
      continue;
    }
    const isEmptyContainer = node.kind === 'array' || node.kind === 'object';
    const text = isEmptyContainer
      ? node.kind === 'array'
        ? '[]'
        : '{}'
      : doc.text.slice(node.start, node.end);
    tokens.push({ kind: isEmptyContainer ? 'punctuation' : 'value', text });
    const comma = moreFollows(parent);
    if (comma !== '') tokens.push(punctuation(comma));
    const cut = cuts.length === 0 ? null : (ofStrings.get(pointer) ?? null);
    push(depth, pointer, tokens, cut, shadowed);
  }
  while (open.length > 0) close();
  return { lines, omittedLines, lastNumber: number };
}

/** Plain text over lines, numbered from 1. */
export function listTextLines(text: string, mostLines: number): ValueLines {
  const lines: ValueLine[] = [];
  let number = 0;
  let from = 0;
  for (;;) {
    const next = text.indexOf('\n', from);
    number += 1;
    if (number <= mostLines) {
      const line = text.slice(from, next < 0 ? text.length : next);
      const tokens: LineToken[] = [{ kind: 'value', text: line }];
      lines.push({ number, indent: 0, pointer: null, tokens, cut: null, shadowed: false });
    }
    if (next < 0) break;
    from = next + 1;
  }
  return { lines, omittedLines: Math.max(0, number - mostLines), lastNumber: number };
}

function punctuation(text: string): LineToken {
  return { kind: 'punctuation', text };
}

function moreFollows(container: OpenContainer | undefined): string {
  return container !== undefined && (container.remaining > 0 || container.cuts.length > 0)
    ? ','
    : '';
}

function childCount(node: JsonNode): number {
  if (node.kind === 'array') return node.items.length;
  return node.kind === 'object' ? node.members.length : 0;
}

function countsLines(cut: CutInDocument): boolean {
  return cut.kind === 'items' || cut.kind === 'members' || cut.kind === 'lines';
}

/**
 * Cuts by the container they stand in. A tail is reported for every open container; only the
 * innermost is where the text ends, the others are merely left open.
 */
function sortCuts(cuts: readonly CutInDocument[]) {
  const byContainer = new Map<string, CutInDocument[]>();
  const ofStrings = new Map<string, CutInDocument>();
  for (const cut of cuts) {
    if (cut.kind === 'characters' || cut.kind === 'bytes') {
      ofStrings.set(cut.pointer, cut);
      continue;
    }
    const container = cut.kind === 'value' ? parentPointer(cut.pointer) : cut.pointer;
    const known = byContainer.get(container);
    if (known === undefined) byContainer.set(container, [cut]);
    else known.push(cut);
    if (cut.kind === 'tail' || cut.kind === 'lines') ofStrings.set(cut.pointer, cut);
  }
  for (const list of byContainer.values()) list.sort((a, b) => a.start - b.start);
  return { byContainer, ofStrings };
}

function parentPointer(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
}

/** The key or index of a value's pointer, for a value of which only its name is recorded. */
export function lastSegment(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}
