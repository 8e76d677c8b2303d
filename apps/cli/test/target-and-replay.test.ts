import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { depotServer } from './depot-server.ts';
import { ARGUMENTS, importedRun } from './imported-run.ts';
import { misstep } from './support.ts';

describe('target and replay', () => {
  test('a target is kept unconfirmed until --yes, and a replay says what came back', async () => {
    const { folder, dataFolder, runId } = await importedRun();
    const script = join(folder, 'server.cjs');
    await writeFile(script, depotServer());
    const added = await misstep(dataFolder, [
      'target',
      'add',
      'depot',
      '--json',
      '--',
      process.execPath,
      script,
      '--json',
      '--x',
    ]);
    expect([added.exitCode, added.documents()]).toMatchObject([
      0,
      [
        {
          name: 'depot',
          confirmedAt: null,
          address: { args: [script, '--json', '--x'], cwd: null },
        },
      ],
    ]);
    expect(added.err).toContain('misstep target confirm depot');
    const early = await misstep(dataFolder, [
      'replay',
      runId,
      '2',
      '--target',
      'depot',
      '--yes',
      '--json',
    ]);
    expect([early.exitCode, early.documents()]).toMatchObject([
      1,
      [{ error: { details: { reason: 'targetNotConfirmed' } } }],
    ]);
    const inWords = await misstep(dataFolder, ['replay', runId, '2', '--target', 'depot', '--yes']);
    expect(inWords.err).toMatch(/^misstep: .*confirm.*\n$/);
    expect(inWords.err).not.toMatch(/reason says|message says/);
    expect((await misstep(dataFolder, ['target', 'confirm', 'depot'])).exitCode).toBe(1);
    expect((await misstep(dataFolder, ['target', 'confirm', 'depot', '--yes'])).exitCode).toBe(0);
    expect((await misstep(dataFolder, ['target', 'list'])).out).toContain('confirmed');

    const unsent = await misstep(dataFolder, ['replay', runId, '2', '--target', 'depot', '--json']);
    expect([unsent.exitCode, unsent.documents()]).toMatchObject([
      1,
      [{ error: { details: { reason: 'notConfirmed' } } }],
    ]);
    const sent = await misstep(dataFolder, [
      'replay',
      runId,
      '2',
      '--target',
      'depot',
      '--yes',
      '--json',
    ]);
    expect(sent.exitCode).toBe(0);
    const [replay] = sent.documents();
    expect(replay).toMatchObject({
      outcome: 'result',
      receipt: {
        tool: 'find_parcel',
        arguments: { sameBytesAsRecorded: true },
        server: { name: 'depot', version: '9' },
      },
      comparison: {
        verdict: expect.any(String),
        sentence: expect.any(String),
        rows: expect.any(Array),
      },
    });
    const frames = replay?.frames as { direction: string; atNs: number; text: string }[];
    expect(
      frames.some(
        ({ direction, text }) => direction === 'client-to-server' && text.includes(ARGUMENTS),
      ),
    ).toBe(true);

    const edited = '{"limit": 9007199254740993, "limit": 1.0}';
    const piped = await misstep(
      dataFolder,
      ['replay', runId, '1', '--target', 'depot', '--yes', '--arguments', '-'],
      `${edited}\n`,
    );
    expect(piped.exitCode).toBe(0);
    expect(piped.out).toContain('sent to depot: result');
    expect(piped.out).toContain('arguments edited; tool definition unknown, not in the recording');
    const file = join(folder, 'arguments.json');
    await writeFile(file, edited);
    const fromFile = await misstep(dataFolder, [
      'replay',
      runId,
      '1',
      '--target',
      'depot',
      '--yes',
      '--json',
      '--arguments',
      file,
    ]);
    expect(fromFile.out).toContain(JSON.stringify(edited).slice(1, -1));
    await writeFile(file, new Uint8Array([0x7b, 0xff, 0x7d]));
    expect(
      (
        await misstep(dataFolder, [
          'replay',
          runId,
          '1',
          '--target',
          'depot',
          '--yes',
          '--arguments',
          file,
        ])
      ).exitCode,
    ).toBe(2);
    expect((await misstep(dataFolder, ['target', 'remove', 'depot'])).exitCode).toBe(0);
    expect((await misstep(dataFolder, ['target', 'remove', 'depot'])).exitCode).toBe(1);
  });

  test('a server that does not start is exit code 1, with the frames so far', async () => {
    const { dataFolder, runId } = await importedRun();
    await misstep(dataFolder, ['target', 'add', 'gone', '--yes', '--', 'no-such-program-here']);
    const { exitCode, documents } = await misstep(dataFolder, [
      'replay',
      runId,
      '1',
      '--target',
      'gone',
      '--yes',
      '--json',
    ]);
    expect([exitCode, documents()]).toMatchObject([1, [{ outcome: 'serverDidNotStart' }]]);
  });
});
