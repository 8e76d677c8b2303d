import { listPointers, member, nodeText } from '@misstep/json';
import { readFrame } from '@misstep/mcp';

/** A value of the recorded request that the replay's request does not have. */
export interface NotSentAgain {
  /** In the request's `params`. */
  readonly pointer: string;
  /** As recorded. */
  readonly text: string;
  /** One sentence. */
  readonly why: string;
}

const MOST = 50;

/**
 * What stands in the recorded tools/call beside name and arguments and was not sent again. A replay
 * sends the call, not the conversation that it was part of. Null where a frame can't be read.
 */
export function notSentAgain(recorded: Uint8Array, sent: Uint8Array): NotSentAgain[] | null {
  const before = readFrame(recorded).document;
  const after = readFrame(sent).document;
  if (before === null || after === null) return null;
  const params = member(before, before.root, 'params');
  if (params === undefined) return [];
  const given = member(after, after.root, 'params');
  const known = new Set(
    given === undefined ? [] : [...listPointers(after, given)].map((each) => each.pointer),
  );
  const left: NotSentAgain[] = [];
  for (const { pointer, node } of listPointers(before, params)) {
    if (pointer === '' || /^\/(name|arguments)(\/|$)/.test(pointer) || known.has(pointer)) continue;
    if ((node.kind === 'object' || node.kind === 'array') && node.end - node.start > 2) continue;
    left.push({ pointer, text: nodeText(before, node), why: whyOf(pointer) });
    if (left.length === MOST) break;
  }
  return left;
}

function whyOf(pointer: string): string {
  if (pointer === '/_meta/progressToken') return 'belongs to the recorded conversation';
  if (pointer.startsWith('/_meta/')) return 'said by the recorded client of itself';
  if (pointer.startsWith('/task')) return 'a replay waits for the answer itself';
  return 'beside name and arguments: not part of the call';
}
