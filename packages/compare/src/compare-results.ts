import type { Comparison, ComparisonRow, EvidenceGrade, VersionName } from '@misstep/model';
import { describeBinaries, type HashBytes } from './binary.ts';
import { compareTexts } from './compare-texts.ts';
import { compareThree } from './compare-three.ts';
import { compareTrees } from './compare-trees.ts';
import { againstLive } from './ground.ts';
import { openTextBlock } from './open-text-blocks.ts';
import { pairVersions } from './pairing.ts';
import { kindsOfAnswer, liveErrorText, protocolErrorsOf } from './protocol-errors.ts';
import { CappedRows, type RowSink, type RowsFrom, RowsInOrder } from './row-sink.ts';
import { summarise, weightiest } from './sentence.ts';
import { textBesideStructure } from './text-beside-structure.ts';
import { readVersion, type Version } from './version.ts';
import { sizeOf, TOKEN_ESTIMATE_RULE } from './version-size.ts';

export interface CompareInput {
  /** Exact text of the result as the transcript has it; null = it holds none. */
  readonly transcriptText: string | null;
  /** True where the transcript is known to be cut, or was read as cut JSON. */
  readonly transcriptIsCut: boolean;
  /** `wire` = the recording is the wire itself: then there is no transcript beside it. */
  readonly transcriptEvidence: EvidenceGrade;
  /** Exact text of the recorded `result` where the run has the wire beside its transcript. */
  readonly wireText?: string | null;
  /** Exact text of the live `result` (or `error`) member; null = no answer came. */
  readonly replayedText: string | null;
  /** True where the recorded one (the wire's, where there is one) is the `error` of its answer. */
  readonly recordedIsError?: boolean;
  /** True where the live one is the `error` of its answer. */
  readonly replayedIsError?: boolean;
  /** True where arguments or tool were not those of the recorded call: a difference may be theirs. */
  readonly inputsEdited?: boolean;
  /** SHA-256 in hexadecimal, for bytes that stand in the results as base64; absent = no hashes. */
  readonly sha256?: HashBytes;
}

/** Rows over this are left out and counted; rows that say `same` go first. */
const MAX_ROWS = 5000;

/**
 * Compares the versions of one result by JSON Pointer, and says one sentence for the whole. Two
 * versions where only a transcript or only the wire was recorded, three where both were. Pure and
 * total: any texts give a comparison.
 */
export function compareResults(input: CompareInput): Comparison {
  const { transcriptEvidence, replayedText } = input;
  const isWireAlone = transcriptEvidence === 'wire';
  const wireText = isWireAlone ? input.transcriptText : (input.wireText ?? null);
  const transcriptText = isWireAlone ? null : input.transcriptText;
  const columns: VersionName[] =
    wireText === null
      ? ['transcript', 'replayed']
      : transcriptText === null
        ? ['wire', 'replayed']
        : ['transcript', 'wire', 'replayed'];
  return {
    ...compareVersions({ ...input, transcriptText }, wireText, columns),
    columns,
    sizes: {
      transcript: transcriptText === null ? null : sizeOf(transcriptText),
      ...(wireText === null ? {} : { wire: sizeOf(wireText) }),
      replayed: replayedText === null ? null : sizeOf(replayedText),
      tokenRule: TOKEN_ESTIMATE_RULE,
    },
  };
}

type Found = Pick<Comparison, 'readings' | 'rowsBelow'>;

function compareVersions(
  input: CompareInput,
  wireText: string | null,
  columns: readonly VersionName[],
): Comparison {
  const { transcriptText, replayedText } = input;
  if (replayedText === null) return nothing('No answer came, so there is nothing to compare with.');
  if (transcriptText === null && wireText === null) {
    const holder = input.transcriptEvidence === 'wire' ? 'recording' : 'transcript';
    return nothing(`The ${holder} holds no result for this call, so the live answer stands alone.`);
  }
  const versions = readVersions(input, wireText, replayedText);
  const { wire, replayed } = versions;
  const capped = new CappedRows(MAX_ROWS);
  const found = walk(input, versions, capped);
  const { counts } = capped;
  const kept = capped.rows();
  const remarks = [
    ...(wire === null ? [] : textBesideStructure(wire, 'recorded wire')),
    ...textBesideStructure(replayed, 'live answer'),
  ];
  return {
    verdict: weightiest(counts),
    sentence: `${kindsOfAnswer(input)}${summarise(counts, { columns, inputsEdited: input.inputsEdited ?? false })}`,
    counts,
    ...(input.inputsEdited ? { inputsEdited: true } : {}),
    rows: describeBinaries(kept, versions, input.sha256),
    rowsOmitted: capped.total - kept.length,
    ...(found.rowsBelow === undefined || found.rowsBelow === ''
      ? {}
      : { rowsBelow: found.rowsBelow }),
    readings: [...found.readings],
    ...protocolErrorsOf(input),
    ...(remarks.length === 0 ? {} : { remarks }),
  };
}

/**
 * Gives the rows of the same comparison one by one in document order, also those over its cap, until
 * `take` says false; and says how many there are in all, taken or not.
 */
export function walkRows(
  input: CompareInput,
  from: RowsFrom,
  take: (row: ComparisonRow) => boolean,
): number {
  const isWireAlone = input.transcriptEvidence === 'wire';
  const wireText = isWireAlone ? input.transcriptText : (input.wireText ?? null);
  const transcriptText = isWireAlone ? null : input.transcriptText;
  const { replayedText, sha256 } = input;
  if (replayedText === null || (transcriptText === null && wireText === null)) return 0;
  const given = { ...input, transcriptText };
  const versions = readVersions(given, wireText, replayedText);
  const sink = new RowsInOrder(from, (row) =>
    describeBinaries([row], versions, sha256).every((described) => take(described)),
  );
  walk(given, versions, sink);
  return sink.total;
}

interface ReadVersions {
  readonly transcript: Version | null;
  readonly wire: Version | null;
  readonly replayed: Version;
}

function readVersions(
  { transcriptText, transcriptIsCut }: CompareInput,
  wireText: string | null,
  replayedText: string,
): ReadVersions {
  return {
    transcript: transcriptText === null ? null : readVersion(transcriptText, transcriptIsCut),
    wire: wireText === null ? null : readVersion(wireText, false),
    replayed: readVersion(replayedText, false),
  };
}

function walk(input: CompareInput, versions: ReadVersions, sink: RowSink): Found {
  const { transcript, wire, replayed } = versions;
  if (wire !== null) return compareThree({ ...input, transcript, wire, replayed }, sink);
  if (transcript === null) return { readings: [] };
  return compareTwo(input, transcript, replayed, sink);
}

function compareTwo(
  input: CompareInput,
  transcript: Version,
  replayed: Version,
  sink: RowSink,
): Found {
  const { transcriptIsCut, transcriptEvidence } = input;
  const message = liveErrorText(input, transcript, replayed);
  if (message !== null) {
    sink.add(message.verdict, () => message);
    return { readings: ['the transcript shows an error’s words, not the error object'] };
  }
  const pairing = pairVersions(transcript, replayed);
  const ground = againstLive(transcriptEvidence);
  const opened: string[] = [];
  const openText = (row: ComparisonRow) =>
    openTextBlock(row, transcriptIsCut, ground, sink, opened);
  if (pairing.kind === 'json') {
    compareTrees(
      { transcript: pairing.transcript, replayed: pairing.replayed, transcriptIsCut, ground },
      pairing.base,
      sink,
      openText,
    );
  } else {
    const { pointer } = pairing;
    const row = compareTexts(
      pairing.transcript,
      pairing.replayed,
      pointer,
      transcriptIsCut,
      ground,
    );
    if (!openText(row)) sink.add(row.verdict, () => row);
  }
  return {
    ...(pairing.kind === 'json' ? { rowsBelow: pairing.below } : {}),
    readings: [
      ...pairing.readings,
      ...opened.map((pointer) => `text content of ${pointer} read as JSON`),
    ],
  };
}

function nothing(sentence: string): Comparison {
  return { verdict: 'cannot tell', sentence, counts: {}, rows: [], rowsOmitted: 0, readings: [] };
}
