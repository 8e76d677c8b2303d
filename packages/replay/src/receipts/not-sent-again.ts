import { listPointers, member, nodeText } from '@misstep/json';
import { readFrame, shortened } from '@misstep/mcp';

/** A value of the recorded request that the replay's request does not have, or has otherwise. */
export interface NotSentAgain {
  /** In the request's `params`. */
  readonly pointer: string;
  /** As recorded. */
  readonly text: string;
  /** One sentence. */
  readonly why: string;
}

const MOST = 50;
/** Characters of a value in a sentence. */
const MOST_SHOWN = 60;

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
  const sentTexts = new Map(
    given === undefined
      ? []
      : [...listPointers(after, given)].map((each) => [each.pointer, nodeText(after, each.node)]),
  );
  const left: NotSentAgain[] = [];
  for (const { pointer, node } of listPointers(before, params)) {
    if (pointer === '' || /^\/(name|arguments)(\/|$)/.test(pointer)) continue;
    if ((node.kind === 'object' || node.kind === 'array') && node.end - node.start > 2) continue;
    const text = nodeText(before, node);
    const other = sentTexts.get(pointer);
    if (other !== text) left.push({ pointer, text, why: whyOf(pointer, other ?? null) });
    if (left.length === MOST) break;
  }
  return left;
}

function whyOf(pointer: string, sent: string | null): string {
  if (pointer === '/_meta/progressToken') {
    return sent === null ? 'belongs to the recorded conversation' : `new token issued, ${sent}`;
  }
  if (sent !== null) return `sent as ${shortened(sent, MOST_SHOWN)}`;
  if (pointer.startsWith('/_meta/')) return 'said by the recorded client of itself';
  if (pointer.startsWith('/task')) return 'a replay waits for the answer itself';
  return 'beside name and arguments: not part of the call';
}
