import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FRAME_LOG_MAGIC, NO_TARGET_SETTINGS, ReceiptSchema } from '@misstep/model';
import { describe, expect, it } from 'vitest';
import { createUlid, readReplayLog, sha256 } from '../src/index.ts';
import {
  endingOf,
  newFolder,
  recordedCall,
  refusalOf,
  replayOnce,
  stdioTarget,
} from './replay-once.ts';

describe('the receipt', () => {
  it('reads back from its text, with hashes over exact bytes', async () => {
    const replayed = await replayOnce(stdioTarget('echo'), {
      argumentsText: '{"b":1.0,"a":[2]}',
    });
    const { receipt, receiptText } = endingOf(replayed);
    expect(ReceiptSchema.parse(JSON.parse(receiptText))).toEqual(receipt);
    const result =
      '{"content":[{"type":"text","text":"{\\"b\\":1.0,\\"a\\":[2]}"}],"structuredContent":{"received":{"b":1.0,"a":[2]}}}';
    expect(receipt.result.sha256).toBe(sha256(result));
    expect(receipt.arguments).toEqual({
      sizeBytes: 17,
      sha256: sha256('{"b":1.0,"a":[2]}'),
      canonicalSha256: sha256('{"a":[2],"b":1.0}'),
      recordedSha256: sha256(recordedCall.argumentsText ?? ''),
      sameBytesAsRecorded: false,
    });
    expect(receipt.toolDefinition.sha256).toBe(
      sha256(
        '{"name":"echo","description":"Gives back what it was given.","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}',
      ),
    );
    expect(Date.parse(receipt.endedAt)).toBeGreaterThanOrEqual(Date.parse(receipt.startedAt));
    expect(receipt.durationNs).toBeGreaterThan(receipt.callDurationNs ?? Number.POSITIVE_INFINITY);
  });

  it('knows nothing of recorded arguments that were not captured', async () => {
    const replayed = await replayOnce(stdioTarget('echo'), {
      call: { ...recordedCall, argumentsState: 'elided', argumentsText: '{"shelf":"A' },
      argumentsText: '{}',
    });
    expect(endingOf(replayed).receipt).toMatchObject({
      pins: { arguments: 'edited' },
      arguments: { recordedSha256: null, sameBytesAsRecorded: null },
    });
  });
});

describe('a replay that is refused', () => {
  it('starts nothing and writes nothing', async () => {
    const folder = newFolder();
    const replayed = await replayOnce(stdioTarget('echo', join(folder, 'read.log')), {
      confirmTool: null,
    });
    expect(refusalOf(replayed).reason).toBe('notConfirmed');
    expect(readdirSync(folder)).toEqual([]);
    expect(replayed.frames).toEqual([]);
    expect(replayed.events).toEqual([]);
    expect(replayed.frameLog).toHaveLength(0);
  });

  it('is refused after tools/list where the tool turns out to be destructive', async () => {
    const replayed = await replayOnce(stdioTarget('echo'), {
      tool: 'wipe_shelf',
      confirmTool: null,
      target: {
        ...(await trustingTarget()),
      },
    });
    expect(refusalOf(replayed).reason).toBe('notConfirmed');
    expect(replayed.frames.some(({ method }) => method === 'tools/list')).toBe(true);
    expect(replayed.frames.some(({ method }) => method === 'tools/call')).toBe(false);
  });

  async function trustingTarget() {
    const { receipt } = endingOf(await replayOnce(stdioTarget('echo')));
    return {
      ...receipt.target,
      settings: NO_TARGET_SETTINGS,
      confirmedAt: '2026-11-30T00:00:00.000Z',
      trustsReadOnlyHint: true,
      createdAt: '2026-11-30T00:00:00.000Z',
    };
  }
});

describe('the frame log', () => {
  it('must be writable: a replay whose log fails throws and leaves no process', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'replay.frames'));
    await expect(
      replayOnce(stdioTarget('echo'), { frameLogPath: join(folder, 'replay.frames') }),
    ).rejects.toThrow('EISDIR');
  });

  it.skipIf(process.platform !== 'linux')('fails as it does on a full disk', async () => {
    await expect(replayOnce(stdioTarget('echo'), { frameLogPath: '/dev/full' })).rejects.toThrow(
      'ENOSPC',
    );
  });

  it('reads up to where it was torn', async () => {
    const { frameLog, frames } = await replayOnce(stdioTarget('echo'));
    expect(Buffer.from(frameLog).toString('latin1', 0, FRAME_LOG_MAGIC.length)).toBe(
      FRAME_LOG_MAGIC,
    );
    const torn = readReplayLog(frameLog.subarray(0, frameLog.length - 200));
    expect(torn.frames.length).toBeGreaterThan(3);
    expect(frames.slice(0, torn.frames.length)).toEqual(torn.frames);
  });
});

describe('what a callback throws', () => {
  it('comes out of the replay and not out of a stream', async () => {
    await expect(
      replayOnce(stdioTarget('echo'), {
        onFrame: () => {
          throw new Error('the view broke');
        },
      }),
    ).rejects.toThrow('the view broke');
  });
});

describe('many replays', () => {
  it('at once keep their frames apart', async () => {
    const texts = Array.from({ length: 6 }, (_, at) => `{"n":${at}.0}`);
    const all = await Promise.all(
      texts.map((argumentsText) => replayOnce(stdioTarget('echo'), { argumentsText })),
    );
    for (const [at, replayed] of all.entries()) {
      expect(endingOf(replayed).outcome).toBe('result');
      expect(replayed.frames.at(-1)?.text).toContain(`"received":${texts[at]}`);
    }
  });

  it.skipIf(process.platform !== 'linux')('leave no file descriptor open', async () => {
    const child = fileURLToPath(new URL('open-files-child.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--conditions=source',
      '--import=tsx',
      child,
    ]);
    const said: { outcomes: string[]; left: number } = JSON.parse(stdout);
    expect(said.outcomes).toEqual(['result']);
    // 50 leaks would be 150 pipes; a few may be on their way out.
    expect(said.left).toBeLessThan(10);
  });
});

describe('createUlid', () => {
  it('sorts by time and spells the known example', () => {
    expect(createUlid(1469918176385, new Uint8Array(10))).toBe('01ARYZ6S410000000000000000');
    expect(createUlid(1, new Uint8Array(10)) < createUlid(2, new Uint8Array(10))).toBe(true);
    expect(createUlid()).not.toBe(createUlid());
  });
});
