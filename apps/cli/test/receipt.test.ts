import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { depotRun } from './depot-server.ts';
import { misstep } from './support.ts';

describe('receipt', () => {
  test('is shown, verified and exported as a file that verifies and imports', async () => {
    const { folder, dataFolder, runId } = await depotRun(['{"code": 9007199254740993}']);
    const words = ['replay', runId, '1', '--target', 'depot', '--yes', '--json'];
    const [replay] = (await misstep(dataFolder, words)).documents();
    const id = String(replay?.id);

    const shown = await misstep(dataFolder, ['receipt', 'show', id, '--json']);
    expect(shown.documents()).toMatchObject([
      {
        receipt: replay?.receipt,
        pins: [{ same: true }, { same: true }, {}, {}, {}, {}, { same: null }],
      },
    ]);
    expect((await misstep(dataFolder, ['receipt', 'show', id.slice(0, 12)])).out).toContain(
      'unknown, as of now',
    );
    const verified = await misstep(dataFolder, ['receipt', 'verify', id, '--json']);
    expect([verified.exitCode, verified.documents()]).toMatchObject([0, [{ id, verified: true }]]);

    const out = join(folder, 'call.frames');
    expect((await misstep(dataFolder, ['receipt', 'export', id, '--out', out])).exitCode).toBe(0);
    expect((await misstep(dataFolder, ['receipt', 'export', id, '--out', out])).exitCode).toBe(2);
    // Another data folder knows nothing of the replay: the file is enough.
    const elsewhere = join(folder, 'other');
    expect((await misstep(elsewhere, ['receipt', 'verify', out])).out).toContain('holds');
    const [imported] = (await misstep(elsewhere, ['import', '--json', out])).documents();
    expect(imported).toMatchObject({
      format: 'frame-log',
      records: { notUnderstood: 0, malformed: 0 },
      runs: [{ toolCalls: 1 }],
    });

    const bytes = await readFile(out);
    bytes[bytes.indexOf('9007199254740993')] = 0x38;
    await writeFile(out, bytes);
    const changed = await misstep(elsewhere, ['receipt', 'verify', out]);
    expect(changed.exitCode).toBe(1);
    expect(changed.out).toContain('damaged');
  });

  test('says which is missing', async () => {
    const { dataFolder, runId } = await depotRun(['{}']);
    const absent = await misstep(dataFolder, ['receipt', 'verify', '01ZZ', '--json']);
    expect([absent.exitCode, absent.documents()]).toMatchObject([
      1,
      [{ error: { code: 'REPLAY_NOT_FOUND' } }],
    ]);
    const none = await misstep(dataFolder, ['receipt', 'verify', 'package.json']);
    expect([none.exitCode, none.out]).toEqual([1, 'The file holds no receipt.\n']);
    expect((await misstep(dataFolder, ['receipt', 'show'])).exitCode).toBe(2);
    expect(runId).not.toBe('');
  });
});
