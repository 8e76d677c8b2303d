import { readFile } from 'node:fs/promises';
import { type Experiment, encodeFrameRecord, MisstepError, readFrameLog } from '@misstep/model';
import { type ExitSecrets, maskFrameLog, maskStrings } from '@misstep/replay';
import { type ExperimentTable, experimentTable } from './experiment-table.ts';

export type ExportForm = 'json' | 'csv' | 'markdown' | 'frames';

export interface ExportedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** What to know before it is given away; the file says the same. */
  readonly notes: readonly string[];
}

/**
 * The experiment as a file to hand on, without what is or was a secret of its target. NOT_FOUND for
 * frames that it has none of.
 */
export async function exportExperiment(
  original: Experiment,
  frameLogPath: string,
  as: ExportForm,
  { inTexts, inLog, notChecked }: ExitSecrets,
): Promise<ExportedFile> {
  const experiment = maskStrings(original, inTexts);
  const name = `${original.plan.kind}-${original.id}`;
  const notes = notChecked === null ? [] : [notChecked];
  const fileOf = (fileName: string, text: string) => ({
    name: fileName,
    bytes: new TextEncoder().encode(text),
    notes,
  });
  switch (as) {
    case 'json': {
      const told = notChecked === null ? experiment : { ...experiment, notChecked };
      return fileOf(`${name}.json`, `${JSON.stringify(told, null, 2)}\n`);
    }
    case 'csv': {
      const { head, rows } = experimentTable(experiment);
      return fileOf(
        `${name}.csv`,
        csvOf({ head, rows: [...rows, ...notes.map((note) => [note])] }),
      );
    }
    case 'markdown':
      return fileOf(
        `${name}.md`,
        [markdownOf(experiment), ...notes.map((note) => `${plainMarkdown(note)}\n`)].join('\n'),
      );
    case 'frames': {
      const { frameLog } = maskFrameLog(await readFrames(frameLogPath), inLog);
      return { name: `${name}.frames`, bytes: withNotes(frameLog, notes), notes };
    }
  }
}

/** As records of what happened, which every reader of frame logs shows. */
function withNotes(frameLog: Uint8Array, notes: readonly string[]): Uint8Array {
  const last = readFrameLog(frameLog).entries.at(-1);
  if (last === undefined) return frameLog;
  const records = notes.map((text) => {
    const payload = Buffer.from(JSON.stringify({ kind: 'note', text }));
    return encodeFrameRecord({ ...last, lane: '#', payload });
  });
  return notes.length === 0 ? frameLog : Buffer.concat([frameLog, ...records]);
}

/**
 * RFC 4180, every field quoted. A field that a spreadsheet would take for a formula gets an
 * apostrophe before it: what stands in a table may come from a server or from a recording.
 */
export function csvOf({ head, rows }: ExperimentTable): string {
  const field = (text: string) => {
    const isFormula = /^[\s\p{Cc}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r]/u.test(text);
    return `"${(isFormula ? `'${text}` : text).replaceAll('"', '""')}"`;
  };
  return [head, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

/** The sentence and the table. Nothing in it can become a link, an image or markup. */
export function markdownOf(experiment: Experiment): string {
  const { head, rows } = experimentTable(experiment);
  const line = (row: readonly string[]) => `| ${row.map(plainMarkdown).join(' | ')} |`;
  const { matrix, plan, state, reason, sentCount } = experiment;
  return [
    plainMarkdown(matrix.sentence),
    '',
    line(head),
    `|${' --- |'.repeat(head.length)}`,
    ...rows.map(line),
    '',
    plainMarkdown(
      `${sentCount} of ${plan.callCount} calls of ${plan.tool} sent to ${experiment.targetName} from ${experiment.startedAt}; ${state}.${reason === null ? '' : ` ${reason}`}`,
    ),
    '',
    'What this does not show:',
    '',
    ...matrix.notShown.map((each) => `- ${plainMarkdown(each)}`),
    '',
  ].join('\n');
}

function plainMarkdown(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\\`*_{}[\]()#+!|<>~&:@]/g, (character) => `\\${character}`)
    .replace(/\bwww\./gi, (word) => `${word.slice(0, -1)}\\.`);
}

async function readFrames(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new MisstepError(
        'NOT_FOUND',
        'No calls were sent at once, so there are no frames of them.',
        {},
        { hint: 'Only a race has frames of its own; each other call has those of its replay.' },
      );
    }
    throw error;
  }
}
