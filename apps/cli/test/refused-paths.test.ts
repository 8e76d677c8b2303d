import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder, misstep, recordingOf } from './support.ts';

const isWindows = process.platform === 'win32';

test.skipIf(isWindows)(
  'a pipe or a device is refused by its kind, and nothing waits for it',
  async () => {
    const folder = await makeFolder();
    const path = join(folder, 'rec.jsonl');
    await writeFile(path, recordingOf([{ args: '{"code":1}', result: '{"content":[]}' }]));
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const words = ['import', '--json', pipe, '/dev/null', path];
    const { exitCode, documents } = await misstep(join(folder, 'data'), words);
    expect(exitCode).toBe(1);
    const byPath = new Map(documents().map((document) => [document.path, document]));
    const refused = (kind: string) => ({
      source: null,
      error: { code: 'IMPORT_UNREADABLE', message: expect.stringContaining(kind) },
    });
    expect(byPath.get(pipe)).toMatchObject(refused('a named pipe'));
    expect(byPath.get('/dev/null')).toMatchObject(refused('a device'));
    expect(byPath.get(path)).toMatchObject({ runs: [{ steps: 1 }] });
  },
);
