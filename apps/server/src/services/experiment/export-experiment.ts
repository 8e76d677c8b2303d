import { readFile } from 'node:fs/promises';
import type { ConnectionSecrets } from '@misstep/mcp';
import { type Experiment, MisstepError } from '@misstep/model';
import { maskFrameLog, maskStrings } from '@misstep/replay';
import { type ExperimentTable, experimentTable } from './experiment-table.ts';

export type ExportForm = 'json' | 'csv' | 'markdown' | 'frames';

export interface ExportedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The experiment as a file to hand on, without what the target's secrets are now. NOT_FOUND for frames that it has none of. */
export async function exportExperiment(
  original: Experiment,
  frameLogPath: string,
  as: ExportForm,
  secrets: ConnectionSecrets,
): Promise<ExportedFile> {
  const experiment = maskStrings(original, secrets);
  const name = `${original.plan.kind}-${original.id}`;
  switch (as) {
    case 'json':
      return fileOf(`${name}.json`, `${JSON.stringify(experiment, null, 2)}\n`);
    case 'csv':
      return fileOf(`${name}.csv`, csvOf(experimentTable(experiment)));
    case 'markdown':
      return fileOf(`${name}.md`, markdownOf(experiment));
    case 'frames':
      return {
        name: `${name}.frames`,
        bytes: maskFrameLog(await readFrames(frameLogPath), secrets).frameLog,
      };
  }
}

function fileOf(name: string, text: string): ExportedFile {
  return { name, bytes: new TextEncoder().encode(text) };
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
    ...(matrix.kind === 'attribute'
      ? [
          '',
          'What this does not show:',
          '',
          ...matrix.notShown.map((each) => `- ${plainMarkdown(each)}`),
        ]
      : []),
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
      );
    }
    throw error;
  }
}
