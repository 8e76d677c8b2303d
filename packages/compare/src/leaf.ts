import {
  compareNumbersExactly,
  type JsonDocument,
  type JsonNode,
  nodeText,
  stringValue,
} from '@misstep/json';
import type { Verdict } from '@misstep/model';
import type { Ground } from './ground.ts';

export interface LeafVerdict {
  readonly verdict: Verdict;
  readonly note: string | null;
}

const REDACTED = /^\s*(\[?(redacted|hidden|removed|masked)\]?|<redacted>|\*{3,}|x{6,})\s*$/i;

/** What can be said of two texts that differ when only one of two causes can be behind it. */
export function differs(ground: Ground): LeafVerdict {
  if (ground.isSameAnswer) return { verdict: 'altered in transcript', note: null };
  return {
    verdict: 'server differs now',
    note:
      ground.evidence === 'rendered'
        ? 'or the transcript shows it wrongly: no recorded wire settles which'
        : null,
  };
}

/** Verdict on two leaves, or on two nodes of different kinds. Neither side says that it is cut. */
export function compareLeaves(
  transcript: { document: JsonDocument; node: JsonNode },
  replayed: { document: JsonDocument; node: JsonNode },
  ground: Ground,
): LeafVerdict {
  const left = nodeText(transcript.document, transcript.node);
  const right = nodeText(replayed.document, replayed.node);
  if (left === right) return { verdict: 'same', note: null };
  if (transcript.node.kind === 'number' && replayed.node.kind === 'number') {
    return compareNumbers(left, right, ground);
  }
  if (isRedacted(transcript)) return redactedLeft(ground);
  if (ground.isSameAnswer && isRedacted(replayed)) {
    return { verdict: 'cannot tell', note: `redacted in ${ground.right}` };
  }
  if (transcript.node.kind === 'string' && replayed.node.kind === 'string') {
    return compareStrings(
      stringValue(transcript.document, transcript.node),
      stringValue(replayed.document, replayed.node),
      ground,
    );
  }
  return compareKinds(left, right, transcript, replayed, ground);
}

function isRedacted({ document, node }: { document: JsonDocument; node: JsonNode }): boolean {
  return node.kind === 'string' && REDACTED.test(stringValue(document, node));
}

function redactedLeft(ground: Ground): LeafVerdict {
  const note = `redacted in ${ground.left}`;
  return { verdict: ground.isSameAnswer ? 'altered in transcript' : 'cannot tell', note };
}

function compareNumbers(left: string, right: string, ground: Ground): LeafVerdict {
  if (compareNumbersExactly(left, right) !== 'different') {
    return { verdict: 'formatting only', note: 'the same number, written differently' };
  }
  if (ground.evidence !== 'wire' && isDoubleOf(left, right)) {
    return {
      verdict: 'altered in transcript',
      note: `precision: the nearest double of the number in ${ground.right}; the client reads numbers as floats`,
    };
  }
  return differs(ground);
}

/** True where `shown` is what a JavaScript double makes of `exact`. */
function isDoubleOf(shown: string, exact: string): boolean {
  const double = Number(exact);
  if (!Number.isFinite(double)) return false;
  return compareNumbersExactly(shown, JSON.stringify(double)) !== 'different';
}

function compareStrings(left: string, right: string, ground: Ground): LeafVerdict {
  if (left === right)
    return { verdict: 'formatting only', note: 'the same string, escaped differently' };
  if (squeeze(left) === squeeze(right)) return { verdict: 'formatting only', note: 'white space' };
  // What crossed the wire was not rendered: it has no encoding or cut to blame.
  if (ground.evidence === 'wire') return differs(ground);
  if (left.includes('\ufffd') && matchesWithReplacements(left, right)) {
    return {
      verdict: 'altered in transcript',
      note: 'encoding: characters were replaced by U+FFFD',
    };
  }
  const isBeginning = left !== '' && right.length > left.length && right.startsWith(left);
  if (isBeginning && ground.isSameAnswer) {
    const more = right.length - left.length;
    return {
      verdict: 'altered in transcript',
      note: `truncation: the last ${more} ${more === 1 ? 'character' : 'characters'} went, unsaid`,
    };
  }
  if (isBeginning && left.length >= 12 && ground.evidence === 'rendered') {
    return {
      verdict: 'cannot tell',
      note: 'the transcript may end early: the live text begins with all of it',
    };
  }
  return differs(ground);
}

function compareKinds(
  left: string,
  right: string,
  transcript: { document: JsonDocument; node: JsonNode },
  replayed: { document: JsonDocument; node: JsonNode },
  ground: Ground,
): LeafVerdict {
  if (ground.evidence === 'wire') return differs(ground);
  if (left === 'null' && replayed.node.kind === 'number' && !Number.isFinite(Number(right))) {
    return {
      verdict: 'altered in transcript',
      note: 'precision: too large for a double, so it became null',
    };
  }
  const shown =
    transcript.node.kind === 'string' ? stringValue(transcript.document, transcript.node) : left;
  const live =
    replayed.node.kind === 'string' ? stringValue(replayed.document, replayed.node) : right;
  if (ground.isSameAnswer || (shown === live && ground.evidence === 'rendered')) {
    const note = `type: ${kindName(replayed.node)} shown as ${kindName(transcript.node)}`;
    return { verdict: 'altered in transcript', note };
  }
  return differs(ground);
}

function kindName(node: JsonNode): string {
  return node.kind === 'literal' ? String(node.value) : node.kind;
}

export function squeeze(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

function matchesWithReplacements(shown: string, live: string): boolean {
  const parts = shown.split(/\ufffd+/u);
  let position = 0;
  for (const part of parts) {
    const found = live.indexOf(part, position);
    if (found < 0) return false;
    position = found + part.length;
  }
  return true;
}
