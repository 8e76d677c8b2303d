import type { Comparison, ComparisonRow, EvidenceGrade } from '@misstep/model';
import { compareTexts } from './compare-texts.ts';
import { compareTrees } from './compare-trees.ts';
import { openTextBlocks } from './open-text-blocks.ts';
import { type Pairing, pairVersions } from './pairing.ts';
import { countVerdicts, summarise, weightiest } from './sentence.ts';
import { sizeOf, TOKEN_ESTIMATE_RULE } from './version-size.ts';

export interface CompareInput {
  /** Exact text of the result as the transcript has it; null = it holds none. */
  readonly transcriptText: string | null;
  /** True where the transcript is known to be cut, or was read as cut JSON. */
  readonly transcriptIsCut: boolean;
  readonly transcriptEvidence: EvidenceGrade;
  /** Exact text of the live `result` (or `error`) member; null = no answer came. */
  readonly replayedText: string | null;
  /** True where arguments or tool were not those of the recorded call: a difference may be theirs. */
  readonly inputsEdited?: boolean;
}

/** Rows over this are left out and counted; rows that say `same` go first. */
const MAX_ROWS = 5000;

/**
 * Compares the transcript's version of a result with the live one, by JSON Pointer, and says one
 * sentence for the whole. Pure and total: any two texts give a comparison.
 */
export function compareResults(input: CompareInput): Comparison {
  const { transcriptText, replayedText } = input;
  return {
    ...compareTwo(input),
    sizes: {
      transcript: transcriptText === null ? null : sizeOf(transcriptText),
      replayed: replayedText === null ? null : sizeOf(replayedText),
      tokenRule: TOKEN_ESTIMATE_RULE,
    },
  };
}

function compareTwo(input: CompareInput): Comparison {
  const { transcriptText, replayedText } = input;
  if (replayedText === null) return nothing('No answer came, so there is nothing to compare with.');
  if (transcriptText === null) {
    return nothing(
      'The transcript holds no result for this call, so the live answer stands alone.',
    );
  }
  const pairing = pairVersions(transcriptText, input.transcriptIsCut, replayedText);
  const { rows, opened } = openTextBlocks(
    compareWhole(pairing, input),
    input.transcriptIsCut,
    input.transcriptEvidence,
  );
  const counts = countVerdicts(rows);
  const kept = capRows(rows);
  return {
    verdict: weightiest(counts),
    sentence: summarise(counts, input.inputsEdited ?? false),
    counts,
    ...(input.inputsEdited ? { inputsEdited: true } : {}),
    rows: kept,
    rowsOmitted: rows.length - kept.length,
    readings: [
      ...pairing.readings,
      ...opened.map((pointer) => `text content of ${pointer} read as JSON`),
    ],
  };
}

function compareWhole(pairing: Pairing, input: CompareInput): ComparisonRow[] {
  return pairing.kind === 'text'
    ? [
        compareTexts(
          pairing.transcript,
          pairing.replayed,
          pairing.pointer,
          input.transcriptIsCut,
          input.transcriptEvidence,
        ),
      ]
    : compareTrees(
        {
          transcript: pairing.transcript,
          replayed: pairing.replayed,
          transcriptIsCut: input.transcriptIsCut,
          evidence: input.transcriptEvidence,
        },
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
