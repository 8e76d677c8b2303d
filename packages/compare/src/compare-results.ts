import type { Comparison, ComparisonRow, EvidenceGrade, VersionName } from '@misstep/model';
import { describeBinaries, type HashBytes } from './binary.ts';
import { compareTexts } from './compare-texts.ts';
import { compareThree } from './compare-three.ts';
import { compareTrees } from './compare-trees.ts';
import { againstLive } from './ground.ts';
import { openTextBlocks } from './open-text-blocks.ts';
import { type Pairing, pairVersions } from './pairing.ts';
import { countVerdicts, summarise, weightiest } from './sentence.ts';
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

type Found = Pick<Comparison, 'rows' | 'readings' | 'rowsBelow'>;

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
  const replayed = readVersion(replayedText, false);
  const wire = wireText === null ? null : readVersion(wireText, false);
  const transcript =
    transcriptText === null ? null : readVersion(transcriptText, input.transcriptIsCut);
  const found: Found =
    wire !== null
      ? compareThree({ ...input, transcript, wire, replayed })
      : transcript === null
        ? { rows: [], readings: [] }
        : compareTwo(input, transcript, replayed);
  const counts = countVerdicts(found.rows);
  const kept = capRows(found.rows);
  const remarks = [
    ...(wire === null ? [] : textBesideStructure(wire, 'recorded wire')),
    ...textBesideStructure(replayed, 'live answer'),
  ];
  return {
    verdict: weightiest(counts),
    sentence: summarise(counts, { columns, inputsEdited: input.inputsEdited ?? false }),
    counts,
    ...(input.inputsEdited ? { inputsEdited: true } : {}),
    rows: describeBinaries(kept, { transcript, wire, replayed }, input.sha256),
    rowsOmitted: found.rows.length - kept.length,
    ...(found.rowsBelow === undefined || found.rowsBelow === ''
      ? {}
      : { rowsBelow: found.rowsBelow }),
    readings: [...found.readings],
    ...(remarks.length === 0 ? {} : { remarks }),
  };
}

function compareTwo(input: CompareInput, transcript: Version, replayed: Version): Found {
  const pairing = pairVersions(transcript, replayed);
  const ground = againstLive(input.transcriptEvidence);
  const { rows, opened } = openTextBlocks(
    compareWhole(pairing, input),
    input.transcriptIsCut,
    ground,
  );
  return {
    rows,
    ...(pairing.kind === 'json' ? { rowsBelow: pairing.below } : {}),
    readings: [
      ...pairing.readings,
      ...opened.map((pointer) => `text content of ${pointer} read as JSON`),
    ],
  };
}

function compareWhole(pairing: Pairing, input: CompareInput): ComparisonRow[] {
  const { transcriptIsCut, transcriptEvidence } = input;
  const ground = againstLive(transcriptEvidence);
  return pairing.kind === 'text'
    ? [compareTexts(pairing.transcript, pairing.replayed, pairing.pointer, transcriptIsCut, ground)]
    : compareTrees(
        { transcript: pairing.transcript, replayed: pairing.replayed, transcriptIsCut, ground },
        pairing.base,
      );
}

function nothing(sentence: string): Comparison {
  return { verdict: 'cannot tell', sentence, counts: {}, rows: [], rowsOmitted: 0, readings: [] };
}

function capRows(rows: readonly ComparisonRow[]): ComparisonRow[] {
  if (rows.length <= MAX_ROWS) return [...rows];
  const telling = rows.filter((row) => row.verdict !== 'same').length;
  let sameLeft = Math.max(0, MAX_ROWS - telling);
  const kept: ComparisonRow[] = [];
  for (const row of rows) {
    if (kept.length >= MAX_ROWS) break;
    if (row.verdict !== 'same') kept.push(row);
    else if (sameLeft > 0) {
      kept.push(row);
      sameLeft -= 1;
    }
  }
  return kept;
}
