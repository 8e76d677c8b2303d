export interface Range {
  readonly start: number;
  readonly end: number;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})[^\n]{0,100}$/gm;

/** Clients that cut a result in its middle leave more than this of it. */
const SHORTEST_CUT = 4000;

/**
 * The parts of a text that show other text: closed blocks between fences. What stands there is
 * talked of; a mark of a cut there is an example of one. In a long text it may as well be a cut
 * that fell into a block, so that there nothing counts as shown.
 */
export function textShownIn(text: string): Range[] {
  if (text.length > SHORTEST_CUT) return [];
  const blocks: Range[] = [];
  let open: { start: number; fence: string } | null = null;
  for (const { 0: line, 1: fence = '', index } of text.matchAll(FENCE)) {
    if (open === null) open = { start: index + line.length, fence };
    else if (fence.startsWith(open.fence) && line.trim() === fence) {
      blocks.push({ start: open.start, end: index });
      open = null;
    }
  }
  return blocks;
}
