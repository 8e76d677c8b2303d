import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  NO_TARGET_SETTINGS,
  ok,
  readFrameLog,
  type TargetAddress,
  TargetSchema,
} from '@misstep/model';
import { startHostileHttp } from '@misstep/testkit';
import { describe, expect, it } from 'vitest';
import {
  type AtOnceRequest,
  type RaceConnections,
  RaceExperiment,
  runRace,
  type SendAtOnce,
  type SendOnce,
  sendAtOnce,
} from '../src/index.ts';
import { newFolder, recordedCall, stdioTarget } from './replay-once.ts';

const A = '{"shelf":"A-7"}';
const B = '{"shelf": 9007199254740993}';

function senders(address: TargetAddress, overrides: Partial<AtOnceRequest> = {}) {
  const folder = newFolder();
  const request: Omit<AtOnceRequest, 'calls' | 'connections' | 'signal'> = {
    recorded: recordedCall,
    target: TargetSchema.parse({
      name: 'warehouse',
      address,
      settings: NO_TARGET_SETTINGS,
      confirmedAt: '2026-11-30T00:00:00.000Z',
      trustsReadOnlyHint: false,
      createdAt: '2026-11-30T00:00:00.000Z',
    }),
    defaultCwd: folder,
    confirmTool: 'echo',
    timeoutMs: 20_000,
    maxFrameBytes: 1024 * 1024,
    frameLogPath: join(folder, 'race.frames'),
    misstepVersion: '0.0.0-test',
    ...overrides,
  };
  const all: SendAtOnce = (calls, connections, signal) =>
    sendAtOnce({ ...request, calls, connections, signal });
  const once: SendOnce = async (call, signal) => {
    const frameLogPath = join(folder, 'alone.frames');
    const calls = [call];
    const sent = await sendAtOnce({ ...request, calls, connections: 'one', signal, frameLogPath });
    if (!sent.ok) return sent;
    const [only] = sent.value;
    if (only === undefined) throw new Error('nothing came of it');
    return ok(only);
  };
  return { sendOnce: once, sendAtOnce: all, frameLogPath: request.frameLogPath };
}

function race(textB: string | null, atOnce: number, connections: RaceConnections) {
  return new RaceExperiment({ textA: A, textB, atOnce, connections });
}

const signal = new AbortController().signal;

async function raceTo(...[experiment, made, options]: Parameters<typeof runRace>) {
  const end = await runRace(experiment, made, options);
  return { ...end, matrix: experiment.matrix() };
}

describe('a race', () => {
  it.each(['one', 'each'] as const)(
    'answers what the server asks by default, connections: %s',
    async (connections) => {
      const made = senders(stdioTarget('asks-by-call'));
      const experiment = race(null, 3, connections);
      const { matrix, ending } = await raceTo(experiment, made, { signal });
      expect(ending).toBe('complete');
      expect(matrix.rows.map(({ outcome }) => outcome)).toEqual(['result', 'result', 'result']);
      const { entries } = readFrameLog(readFileSync(made.frameLogPath));
      const texts = entries.map(({ lane, payload }) => [lane, payload.toString()] as const);
      const inLane = (lane: string, words: string) =>
        texts.filter(([each, text]) => each === lane && text.includes(words)).length;
      // The server tells of each ask what it was answered, and no client without the capability is asked.
      expect(inLane('<', '"elicitation/create"')).toBe(3);
      expect(inLane('>', '"action":"decline"')).toBe(3);
      expect(inLane('>', '"elicitation"')).toBeGreaterThan(0);
      expect(inLane('#', '"opened"')).toBe(3);
    },
  );

  it('on one connection finds answers that were crossed', async () => {
    const made = senders(stdioTarget('swaps-answers'));
    const experiment = race(B, 4, 'one');
    expect(experiment.plan).toMatchObject({ callCount: 8 });
    const { matrix, ending, sentCount } = await raceTo(experiment, made, { signal });
    expect([ending, sentCount]).toEqual(['complete', 8]);
    expect(matrix).toMatchObject({ canSeeCrossing: true, crossedCount: 4, differentCount: 4 });
    expect(matrix.rows.map(({ crossedWith }) => crossedWith)).toEqual(['B', 'A', 'B', 'A']);
    expect(matrix.sentence).toMatch(/^4 of 4 calls got the answer of the other call; /);
    const { entries, damage } = readFrameLog(readFileSync(made.frameLogPath));
    const sent = entries
      .filter(({ lane, payload }) => lane === '>' && Buffer.from(payload).includes('tools/call'))
      .map(({ payload }) => Buffer.from(payload).toString());
    expect([damage, sent]).toEqual([
      [],
      [A, B, A, B].map(
        (args, at) =>
          `{"jsonrpc":"2.0","id":${at + 2},"method":"tools/call","params":{"name":"echo","arguments":${args},"_meta":{"progressToken":${at + 2}}}}`,
      ),
    ]);
  });

  it('on a connection each finds nothing crossed where only sharing crosses', async () => {
    const made = senders(stdioTarget('swaps-answers'));
    const { matrix } = await raceTo(race(B, 2, 'each'), made, { signal });
    expect(matrix).toMatchObject({ crossedCount: 0, differentCount: 0, errorCount: 0 });
    expect(matrix.rows.map(({ connection, likeAlone }) => [connection, likeAlone])).toEqual([
      ['c1', true],
      ['c2', true],
    ]);
    const { entries } = readFrameLog(readFileSync(made.frameLogPath));
    expect(new Set(entries.map(({ connection }) => connection))).toEqual(new Set(['c1', 'c2']));
  });

  it('tells the order of answers, and does not claim what one call alone can not show', async () => {
    const made = senders(stdioTarget('answers-last-first'));
    const { matrix } = await raceTo(race(null, 3, 'one'), made, { signal });
    expect(matrix.rows.map(({ answerOrder }) => answerOrder)).toEqual([3, 2, 1]);
    expect(matrix).toMatchObject({ inOrder: false, canSeeCrossing: false, differentCount: 0 });
    expect(matrix.sentence).toContain("whether answers were crossed can't be seen");
    expect(matrix.medianRacedNs).toBeGreaterThan(0);
  });

  it('works over HTTP on one connection', async () => {
    const server = await startHostileHttp('echo');
    try {
      const made = senders({ transport: 'streamable-http', url: server.url });
      const { matrix } = await raceTo(race(B, 6, 'one'), made, { signal });
      expect(matrix).toMatchObject({ crossedCount: 0, differentCount: 0, errorCount: 0 });
      expect(matrix.rows).toHaveLength(6);
    } finally {
      await server.stop();
    }
  });

  it('keeps what came where the server dies or answers nothing', async () => {
    const dead = senders(stdioTarget('exit-mid-call'));
    const died = await raceTo(race(null, 2, 'one'), dead, { signal });
    expect(died.matrix.rows.map(({ outcome }) => outcome)).toEqual([
      'serverExited',
      'serverExited',
    ]);
    const silent = senders(stdioTarget('never-answers'), { timeoutMs: 2000 });
    const { matrix } = await raceTo(race(null, 2, 'one'), silent, { signal });
    expect(matrix).toMatchObject({ errorCount: 2, rows: [{ outcome: 'timedOut' }, {}] });
  });

  it('sends nothing unconfirmed, and nothing at once when it is stopped before', async () => {
    const made = senders(stdioTarget('echo'), { confirmTool: null });
    const refused = await raceTo(race(null, 3, 'one'), made, { signal });
    expect(refused).toMatchObject({ ending: 'failed', sentCount: 0 });
    const controller = new AbortController();
    const stopped = await raceTo(race(null, 3, 'one'), senders(stdioTarget('echo')), {
      signal: controller.signal,
      onProgress: (sentCount) => {
        if (sentCount === 1) controller.abort();
      },
    });
    expect(stopped).toMatchObject({ ending: 'stopped', matrix: { rows: [] } });
  });
});
