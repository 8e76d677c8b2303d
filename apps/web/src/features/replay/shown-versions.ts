import type { Comparison, ComparisonRow, EvidenceGrade, VersionName } from '@misstep/model';

/** One column of a comparison. */
export interface ShownVersion {
  readonly name: VersionName;
  readonly grade: EvidenceGrade;
  readonly title: string;
  readonly note: string;
  /** False = the recording has no such version; the column says so. */
  readonly isThere: boolean;
}

/**
 * The columns of a comparison, always with a transcript: where the run is a wire recording, that
 * there is none is a fact to be read. Comparisons from before there were three versions hold a
 * recorded wire in the place of the transcript.
 */
export function shownVersions(
  comparison: Comparison,
  recordedGrade: EvidenceGrade,
  replayNote: string,
  wireNote = 'as sent then',
): ShownVersion[] {
  const columns = columnsOf(comparison, recordedGrade);
  const hasTranscript = columns.includes('transcript');
  return [
    {
      name: 'transcript',
      grade: hasTranscript ? recordedGrade : 'derived',
      title: 'Transcript',
      note: hasTranscript ? 'what the agent saw' : 'none in this run',
      isThere: hasTranscript,
    },
    ...(columns.includes('wire')
      ? [
          {
            name: 'wire' as const,
            grade: 'wire' as const,
            title: 'Wire, recorded',
            note: wireNote,
            isThere: true,
          },
        ]
      : []),
    { name: 'replayed', grade: 'wire', title: 'Replayed, now', note: replayNote, isThere: true },
  ];
}

function columnsOf(comparison: Comparison, recordedGrade: EvidenceGrade): readonly VersionName[] {
  if (comparison.columns !== undefined) return comparison.columns;
  return recordedGrade === 'wire' ? ['wire', 'replayed'] : ['transcript', 'replayed'];
}

/** A row's text in a version, whatever the age of its comparison. */
export function textIn(
  comparison: Comparison,
  row: ComparisonRow,
  version: ShownVersion,
): string | null {
  if (!version.isThere) return null;
  const isOld = comparison.columns === undefined && version.name === 'wire';
  return (isOld ? row.transcript : row[version.name]) ?? null;
}

/** Bytes left out at the end of a row's text. */
export function omittedIn(
  comparison: Comparison,
  row: ComparisonRow,
  version: ShownVersion,
): number {
  const isOld = comparison.columns === undefined && version.name === 'wire';
  return row.omittedBytes?.[isOld ? 'transcript' : version.name] ?? 0;
}

/** Whether the cell of a version is what the verdict is about, and of which kind. */
export function hitOf(row: ComparisonRow, version: ShownVersion): 'transcript' | 'now' | null {
  if (version.name === 'transcript' && version.isThere) {
    const own = row.pairs === undefined ? row.verdict : row.pairs.transcript;
    if (own?.endsWith('in transcript') === true) return 'transcript';
    // Below a value that the transcript left out as a whole.
    return row.pairs !== undefined && own === undefined && row.transcript === null
      ? 'transcript'
      : null;
  }
  if (version.name !== 'replayed') return null;
  const server = row.pairs === undefined ? row.verdict : row.pairs.server;
  return server === 'server differs now' ? 'now' : null;
}

/** The pointer that most rows stand below; a row shows `/…` for it. Null = none. */
export function commonPlace(rows: readonly ComparisonRow[]): string | null {
  const counts = new Map<string, number>();
  for (const { pointer } of rows) {
    const place = /^(?:\/structuredContent|\/content\/\d+\/text)(?=\/)/.exec(pointer)?.[0];
    if (place !== undefined) counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  for (const [place, count] of counts) if (count * 2 > rows.length) return place;
  return null;
}

/** As a rule for rows of this kind: an index stands for any. */
export function ignorePatternOf(pointer: string): string {
  return pointer.replace(/\/\d+(?=\/|$)/g, '/*');
}
