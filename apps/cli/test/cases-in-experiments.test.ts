import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startHostileModernHttp } from '@misstep/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCaseTarget, type CaseRun, openCaseRun } from './case-run.ts';
import { misstep } from './support.ts';

const KEY = 'shelf-key-0123456789';
const MANY_CALLS_MS = 120_000;

let run: CaseRun;
beforeAll(async () => {
  run = await openCaseRun();
});
afterAll(() => run.remove());

test(
  'timestamped: the repeat says that the answers differ, and where',
  async () => {
    const { name } = await addCaseTarget(run, 'timestamped', 'stdio');
    const words = ['experiment', 'repeat', run.runId, run.step, '--target', name, '--times', '2'];
    const sent = await misstep(run.dataFolder, [...words, '--yes', '--json']);
    expect(sent.exitCode).toBe(0);
    const [document] = sent.documents();
    expect(document?.matrix).toMatchObject({ sameBytes: false });
    expect(document?.matrix).toMatchObject({
      sentence:
        "The same call gave different answers: /asked_at moves. A result that isn't stable can't carry an attribution by these.",
    });
  },
  MANY_CALLS_MS,
);

test(
  'swaps-answers: a single call is sound, a race shows the crossing',
  async () => {
    const { name } = await addCaseTarget(run, 'swaps-answers', 'stdio');
    const file = join(run.dataFolder, 'b.json');
    await writeFile(file, '{"shelf":"B-9"}');
    const words = ['experiment', 'race', run.runId, run.step, '--target', name, '--at-once', '2'];
    const more = ['--arguments-b', file, '--yes', '--json'];
    const sent = await misstep(run.dataFolder, [...words, ...more]);
    const [document] = sent.documents();
    expect(document?.matrix).toMatchObject({
      canSeeCrossing: true,
      crossedCount: 2,
      sentence: expect.stringMatching(/crossed|other call/i),
    });
  },
  MANY_CALLS_MS,
);

test.each([
  ['answers-twice', 'A second answer to the request with id 2: the first one counts.'],
  ['answers-notification', 'nothing may answer a notification such as notifications/initialized.'],
])('%s: the text names the frame, as the screen does', async (behaviour, remark) => {
  const { name } = await addCaseTarget(run, behaviour, 'stdio');
  const words = ['replay', run.runId, run.step, '--target', name, '--yes'];
  const { out } = await misstep(run.dataFolder, words);
  expect(out).toMatch(/^\d+ frames? with a remark:$/m);
  expect(out).toContain(remark);
});

test('a tool that clients leave out goes out in a split where the person wants it', async () => {
  const server = await startHostileModernHttp('bad-header');
  try {
    const add = ['target', 'add', 'leaves-out', '--yes', '--url', server.url];
    await misstep(run.dataFolder, add);
    const file = join(run.dataFolder, 'two-changes.json');
    await writeFile(file, '{"shelf":"B-9","more":1}');
    const words = ['replay', run.runId, run.step, '--target', 'leaves-out', '--arguments', file];
    const split = [...words, '--split', '--yes', '--json'];
    const refused = await misstep(run.dataFolder, split);
    expect(refused.documents()).toMatchObject([{ ending: 'failed', replays: [] }]);
    const sent = await misstep(run.dataFolder, [...split, '--left-out']);
    expect(sent.documents()).toMatchObject([{ ending: 'complete' }]);
  } finally {
    await server.stop();
  }
});

test('destructive-unannotated: trust in hints sends nothing without the name', async () => {
  const { name } = await addCaseTarget(run, 'destructive-unannotated', 'stdio', {
    words: ['--trust-read-only'],
  });
  const words = ['replay', run.runId, run.step, '--target', name, '--json'];
  const unsent = await misstep(run.dataFolder, words);
  expect([unsent.exitCode, unsent.documents()]).toMatchObject([
    1,
    [{ error: { code: 'REPLAY_REFUSED', details: { reason: 'notConfirmed' } } }],
  ]);
  expect(unsent.documents()[0]).not.toHaveProperty('receipt');
  const sent = await misstep(run.dataFolder, [...words, '--yes']);
  expect(sent.documents()).toMatchObject([
    { outcome: 'result', receipt: { toolDefinition: { readOnlyHint: null } } },
  ]);
});

/** A replay without what the server itself wrote, which is kept as it is on this machine. */
function ownWords(document: Record<string, unknown> | undefined): string {
  const { frames, events, ...rest } = document ?? {};
  expect(JSON.stringify(frames)).toContain('has expired');
  const ours = Array.isArray(events) ? events.filter(({ kind }) => kind !== 'stderr') : events;
  return JSON.stringify({ ...rest, events: ours });
}

test.each(['stdio', 'streamable-http'] as const)(
  'expired-token over %s: fails when it is told to, and nothing but the frames repeats its key',
  async (transport) => {
    const secrets =
      transport === 'stdio'
        ? { environment: { SHELF_KEY: KEY, SHELF_KEY_EXPIRED: 'yes' } }
        : { bearer: KEY };
    const target = await addCaseTarget(run, 'expired-token', transport, {
      secrets: JSON.stringify(secrets),
      environment: { SHELF_KEY_EXPIRED: 'yes' },
    });
    const words = ['replay', run.runId, run.step, '--target', target.name, '--yes'];
    const inJson = await misstep(run.dataFolder, [...words, '--json']);
    const inWords = await misstep(run.dataFolder, words);
    await target.stop();
    const id = String(inJson.documents()[0]?.id);
    const schema = await misstep(run.dataFolder, ['schema', id, '--json']);
    const receipt = await misstep(run.dataFolder, ['receipt', 'show', id, '--json']);
    const file = join(run.dataFolder, `${transport}.misstep`);
    const packed = await misstep(run.dataFolder, ['receipt', 'export', id, '--out', file]);
    expect(packed.exitCode).toBe(0);
    expect(ownWords(inJson.documents()[0])).not.toContain(KEY);
    for (const { out, err } of [inWords, schema, receipt]) expect(out + err).not.toContain(KEY);
    expect((await readFile(file)).includes(KEY)).toBe(false);
    expect(inJson.documents()).toMatchObject([{ outcome: 'protocolError' }]);
    const sentence = String(inJson.documents()[0]?.outcomeSentence);
    expect(sentence).toContain(
      transport === 'stdio'
        ? 'The server answered the call with error -32001: The key '
        : 'The server refused the call: the server answered with HTTP 401 Unauthorized',
    );
    expect(inWords.exitCode).toBe(1);
  },
);
