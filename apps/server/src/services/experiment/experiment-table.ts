import type {
  AttributionMatrix,
  BoundaryMatrix,
  Experiment,
  RaceMatrix,
  RepeatMatrix,
} from '@misstep/model';

/** What came of an experiment as rows of text; the first row of a file or of a terminal is the head. */
export interface ExperimentTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function experimentTable({ matrix }: Pick<Experiment, 'matrix'>): ExperimentTable {
  switch (matrix.kind) {
    case 'repeat':
      return repeatTable(matrix);
    case 'race':
      return raceTable(matrix);
    case 'attribute':
      return attributionTable(matrix);
    case 'boundary':
      return boundaryTable(matrix);
  }
}

function repeatTable({ rows }: RepeatMatrix): ExperimentTable {
  return {
    head: ['call', 'outcome', 'milliseconds', 'same bytes as call', 'replay'],
    rows: rows.map(({ outcome, callDurationNs, sameBytesAs, replayId }, index) => [
      String(index + 1),
      outcome,
      milliseconds(callDurationNs),
      sameBytesAs === index + 1 ? '' : String(sameBytesAs),
      replayId ?? '',
    ]),
  };
}

function raceTable({ alone, rows }: RaceMatrix): ExperimentTable {
  return {
    head: [
      'call',
      'connection',
      'outcome',
      'milliseconds',
      'answer',
      'as alone',
      'crossed with',
      'replay',
    ],
    rows: [
      ...alone.map(({ variant, outcome, callDurationNs, replayId }) => [
        `${variant}, alone`,
        '',
        outcome,
        milliseconds(callDurationNs),
        '',
        '',
        '',
        replayId ?? '',
      ]),
      ...rows.map((row) => [
        row.label,
        row.connection,
        row.outcome,
        milliseconds(row.callDurationNs),
        row.answerOrder === null ? '' : String(row.answerOrder),
        row.likeAlone === null ? '' : row.likeAlone ? 'yes' : 'no',
        row.crossedWith ?? '',
        '',
      ]),
    ],
  };
}

function attributionTable({ arguments: differences, cells }: AttributionMatrix): ExperimentTable {
  return {
    head: [
      'call',
      ...differences.map(({ name }) => name),
      'outcome',
      'effect',
      'sends',
      'milliseconds',
      'replays',
    ],
    rows: cells.map((cell) => [
      cell.group === 'base'
        ? `call ${cell.key.charAt(0)}`
        : nameOf(cell.key, cell.group, cell.flipped),
      ...differences.map(({ a, b }, index) => {
        const side = cell.key[index] === 'B' ? 'B' : 'A';
        return `${side} ${(side === 'A' ? a : b) ?? '(left out)'}`;
      }),
      cell.signature ?? outcomeless(cell),
      cell.sends.length === 0 ? 'not called' : cell.effect,
      String(cell.sends.length),
      milliseconds(cell.medianNs),
      cell.sends.flatMap(({ replayId }) => replayId ?? []).join(' '),
    ]),
  };
}

function boundaryTable({ argument, rows }: BoundaryMatrix): ExperimentTable {
  return {
    head: [argument, 'tried in', 'outcome', 'sends', 'milliseconds', 'replays'],
    rows: rows.map((row) => [
      row.value,
      row.round,
      row.signature ?? outcomeless(row),
      String(row.sends.length),
      milliseconds(row.medianNs),
      row.sends.flatMap(({ replayId }) => replayId ?? []).join(' '),
    ]),
  };
}

/** Where a call's answers have no one outcome: they differ, or one could not be looked into. */
function outcomeless({
  sends,
  isStable,
}: Pick<AttributionMatrix['cells'][number], 'sends' | 'isStable'>): string {
  if (sends.length === 0) return '';
  return isStable === false ? 'not stable' : 'not known';
}

function nameOf(
  key: string,
  group: AttributionMatrix['cells'][number]['group'],
  flipped: string | null,
): string {
  if (group === 'intoA') return `A with ${flipped ?? ''} of B`;
  if (group === 'intoB') return `B with ${flipped ?? ''} of A`;
  return key;
}

function milliseconds(durationNs: number | null): string {
  return durationNs === null ? '' : (durationNs / 1e6).toFixed(3);
}
