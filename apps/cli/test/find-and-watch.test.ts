import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PhaseRates, progressWords } from '../src/terminal/progress-line.ts';
import { makeFolder, misstep, recordingOf } from './support.ts';

test('find lists what is there and imports it when told to', async () => {
  const home = await makeFolder();
  const dataFolder = await makeFolder();
  const projects = join(home, '.claude/projects/-desk');
  await mkdir(projects, { recursive: true });
  const record = {
    type: 'user',
    uuid: 'u1',
    sessionId: 's1',
    timestamp: '2026-01-05T09:00:00.000Z',
    message: { role: 'user', content: 'Where is parcel 7?' },
  };
  await writeFile(join(projects, 's1.jsonl'), `${JSON.stringify(record)}\n`);
  const environment = { HOME: home };
  const listed = await misstep(dataFolder, ['find', '--json'], '', environment);
  expect(listed.documents()).toMatchObject([
    { id: 'claude-code', fileCount: 1, folder: join(home, '.claude/projects'), isCut: false },
  ]);
  expect((await misstep(dataFolder, ['runs', '--json'])).documents()).toEqual([]);
  const imported = await misstep(dataFolder, ['find', '--import', '--json'], '', environment);
  expect(imported.exitCode).toBe(0);
  expect(imported.documents()).toMatchObject([
    { format: 'claude-code-jsonl', runs: [{ steps: 1 }] },
  ]);
  const late = ['find', '--import', '--since', '2090-01-01'];
  const none = await misstep(dataFolder, late, '', environment);
  expect(none).toMatchObject({ exitCode: 0, out: '' });
  expect(none.err).toContain('Nothing changed at that time or later.');
  const bare = { HOME: await makeFolder() };
  expect((await misstep(dataFolder, late, '', bare)).exitCode).toBe(1);
  expect((await misstep(dataFolder, ['find', '--since', '2090-01-01'])).exitCode).toBe(2);
});

test('watch keeps a folder on the list and takes it off', async () => {
  const dataFolder = await makeFolder();
  const folder = await makeFolder();
  await writeFile(join(folder, 'calls.jsonl'), recordingOf([{ args: '{}', result: '{}' }]));
  const [kept] = (await misstep(dataFolder, ['watch', folder, '--keep', '--json'])).documents();
  expect(kept).toMatchObject({ path: folder, foundId: null });
  expect((await misstep(dataFolder, ['watch', '--json'])).documents()).toEqual([kept]);
  const forgotten = await misstep(dataFolder, ['watch', folder, '--forget', '--json']);
  expect(forgotten.documents()).toEqual([{ path: folder, wasFollowed: true }]);
  expect((await misstep(dataFolder, ['watch', '--json'])).out).toBe('');
  expect((await misstep(dataFolder, ['watch', join(folder, 'none'), '--keep'])).exitCode).toBe(1);
  expect((await misstep(dataFolder, ['watch', folder, '--keep', '--forget'])).exitCode).toBe(2);
});

test('progress says amount, rate and time left once they are known', () => {
  const progress = { phase: 'reading', records: 400, steps: 380 } as const;
  const done = { readBytes: 20e6, takenBytes: 20e6 };
  const facts = {
    ...done,
    totalBytes: 100e6,
    bytesPerSecond: 5e6,
    remainingMs: 16_000,
    files: null,
  };
  expect(progressWords(progress, facts)).toBe(
    '20.0 of 100.0 MB read, 400 records, 380 steps, 5.0 MB/s, 16 s to go',
  );
  const early = { ...facts, bytesPerSecond: null, remainingMs: null };
  expect(progressWords(progress, early)).toBe('20.0 of 100.0 MB read, 400 records, 380 steps');
  expect(progressWords(progress, { ...facts, readBytes: 100e6 })).toBe(
    '100.0 of 100.0 MB read, 400 records, 380 steps, saving',
  );
  const receiving = { ...progress, phase: 'receiving' as const };
  expect(progressWords(receiving, { ...early, readBytes: 0, totalBytes: 0 })).toBe(
    '0.0 MB read, 20.0 MB taken in',
  );
  const many = {
    ...facts,
    takenBytes: 32.5e6,
    remainingMs: 600_000,
    files: { done: 7, total: 9000 },
  };
  expect(progressWords(receiving, many)).toBe(
    '20.0 of 100.0 MB read, 32.5 MB taken in, 7 of 9000 files, 5.0 MB/s, 10 min to go',
  );
});

test('what is read and taken in never goes back where one phase follows the other', () => {
  const rates = new PhaseRates(0);
  const seen = (
    [
      ['receiving', 12.3e6],
      ['reading', 10.6e6],
      ['receiving', 11e6],
      ['reading', 4e6],
      ['reading', 14e6],
    ] as const
  ).map(([phase, bytes], at) => {
    rates.take({ phase, bytes, records: 0, steps: 0 }, at);
    const { readBytes, takenBytes } = rates.done;
    return [readBytes / 1e6, takenBytes / 1e6];
  });
  expect(seen).toEqual([
    [0, 12.3],
    [10.6, 12.3],
    [10.6, 12.3],
    [10.6, 12.3],
    [14, 14],
  ]);
});

test('taking in and reading have rates of their own, and the time left is that of both', () => {
  const rates = new PhaseRates(0);
  const at = (phase: 'receiving' | 'reading', bytes: number, nowMs: number) =>
    rates.take({ phase, bytes, records: 0, steps: 0 }, nowMs);
  at('receiving', 0, 0);
  at('receiving', 50e6, 1000);
  expect(rates.bytesPerSecond).toBe(50e6);
  // How long reading takes nobody knows yet.
  expect(rates.remainingMs(100e6)).toBeNull();
  at('reading', 0, 1000);
  expect(rates.bytesPerSecond).toBeNull();
  at('reading', 10e6, 3000);
  expect(rates.bytesPerSecond).toBe(5e6);
  expect(rates.remainingMs(100e6)).toBe(1000 + 18_000);
  at('reading', 50e6, 11_000);
  at('receiving', 100e6, 12_000);
  expect(rates.bytesPerSecond).toBe(50e6);
  expect(rates.remainingMs(100e6)).toBe(10_000);
});
