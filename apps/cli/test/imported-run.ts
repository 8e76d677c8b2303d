import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { makeFolder, misstep, recordingOf } from './support.ts';

export const ARGUMENTS =
  '{"code": 9007199254740993, "weight": 1.0, "code": 2, "x": -0, "y": 1e400, "s": "\\ud800"}';
export const RESULT = '{"content":[{"type":"text","text":"{\\"count\\":1}"}]}';

/** A data folder with one run of two calls, the second with what JSON through doubles would lose. */
export async function importedRun() {
  const folder = await makeFolder();
  const dataFolder = join(folder, 'data');
  const path = join(folder, 'rec.jsonl');
  const text = recordingOf([
    { args: '{"code":1}', result: RESULT },
    { args: ARGUMENTS, result: RESULT },
  ]);
  await writeFile(path, text);
  const imported = await misstep(dataFolder, ['import', '--json', path]);
  expect(imported.exitCode).toBe(0);
  const [document] = imported.documents();
  const runs = document?.runs as { id: string }[];
  return { folder, dataFolder, path, text, document, runId: runs[0]?.id ?? '' };
}
