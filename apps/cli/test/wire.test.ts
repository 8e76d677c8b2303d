import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importedRun } from './imported-run.ts';
import { misstep } from './support.ts';

const TICKET = `User: where is my parcel?
→ desk/find_parcel {"code":1}
← {"count": 1}
→ desk/find_parcel {"code":5}
← {"count": 0}
`;

test('a wire recording is joined, told, and taken away', async () => {
  const { folder, dataFolder, runId: wireRunId } = await importedRun();
  const path = join(folder, 'ticket.txt');
  await writeFile(path, TICKET);
  const imported = await misstep(dataFolder, ['import', '--json', path]);
  const runId = /"id":"(r[0-9a-z]{20})"/.exec(imported.out)?.[1] ?? '';
  const wire = (...words: string[]) => misstep(dataFolder, ['wire', ...words]);

  expect((await wire(runId)).out).toBe('No wire recording is joined: misstep wire RUN WIRE-RUN\n');
  const joined = await wire(runId, wireRunId);
  expect([joined.exitCode, joined.err]).toEqual([0, '']);
  expect(joined.out).toContain('1 of 2 calls found on the wire');
  expect(joined.out).toContain('not found on the wire: it may never have reached the server');
  expect(joined.out).toContain('on the wire only: step');
  expect((await wire(runId, '--json')).documents()).toMatchObject([
    { type: 'wire', runId, wireRun: { id: wireRunId }, pairedCount: 1 },
  ]);

  const removed = { type: 'wire', runId, wireRun: null };
  expect((await wire(runId, '--remove', '--json')).documents()).toEqual([
    { ...removed, removed: true },
  ]);
  expect((await wire(runId, '--remove')).out).toBe('There was no wire recording.\n');
  const refused = await wire(wireRunId, runId);
  expect([refused.exitCode, refused.out]).toEqual([1, '']);
  expect((await wire(runId, wireRunId, '--remove')).exitCode).toBe(2);
});
