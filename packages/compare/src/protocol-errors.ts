import { member, nodeText } from '@misstep/json';
import type { Comparison, ComparisonRow } from '@misstep/model';
import type { CompareInput } from './compare-results.ts';
import { compareTexts } from './compare-texts.ts';
import { againstLive } from './ground.ts';
import { squeeze } from './leaf.ts';
import { decode } from './open-text-blocks.ts';
import type { Version } from './version.ts';

/** Which of the two answers are errors of the protocol; nothing where neither is. */
export function protocolErrorsOf(
  input: Pick<CompareInput, 'recordedIsError' | 'replayedIsError'>,
): Pick<Comparison, 'protocolErrors'> {
  const { recordedIsError: recorded = false, replayedIsError: replayed = false } = input;
  return recorded || replayed ? { protocolErrors: { recorded, replayed } } : {};
}

/** What kinds of answers are laid beside each other, in a sentence of its own; '' = two results. */
export function kindsOfAnswer({
  recordedIsError = false,
  replayedIsError = false,
  transcriptEvidence,
  wireText,
}: CompareInput): string {
  const isWire = transcriptEvidence === 'wire' || wireText != null;
  if (recordedIsError && replayedIsError) {
    return 'Both answers are protocol errors (JSON-RPC), compared by code, message and data. ';
  }
  if (recordedIsError) {
    return 'The recorded answer is a protocol error and the live one is a result. ';
  }
  if (!replayedIsError) return '';
  return isWire
    ? 'The recorded answer is a result and the live one is a protocol error. '
    : 'The live answer is a protocol error; a transcript does not say of which kind its own was. ';
}

/**
 * Clients show of a protocol error its message, mostly in words of their own. Where the live answer
 * is one and the transcript holds no JSON, they are one row; null = there is something else to compare.
 */
export function liveErrorText(
  { replayedIsError, transcriptIsCut, transcriptEvidence }: CompareInput,
  transcript: Version,
  replayed: Version,
): ComparisonRow | null {
  if (replayedIsError !== true || transcript.json !== null || replayed.json === null) return null;
  const { document, root } = replayed.json;
  const found = member(document, root, 'message');
  const literal = found?.kind === 'string' ? nodeText(document, found) : null;
  const message = decode(literal);
  if (literal === null || message === null) return null;
  const pointer = '/message';
  const ground = againstLive(transcriptEvidence);
  const row = compareTexts(transcript.text, message, pointer, transcriptIsCut, ground);
  const isWithin = message.trim() !== '' && squeeze(transcript.text).includes(squeeze(message));
  return row.verdict === 'same' || !isWithin
    ? row
    : {
        ...row,
        verdict: 'formatting only',
        note: 'the transcript shows the message in other words',
      };
}
