import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MisstepStopped } from '../src/index.ts';
import {
  endingOf,
  newFolder,
  type Replayed,
  refusalOf,
  replayOnce,
  reread,
  serverFrames,
  stdioTarget,
} from './replay-once.ts';

/** The text content of the answer. */
function answerText(replayed: Replayed): string {
  const answer = serverFrames(replayed).find(({ text }) => text.includes('"content"'));
  return JSON.parse(answer?.text ?? '{}').result.content[0].text;
}

function expectRereadEqual(replayed: Replayed): void {
  expect(replayed.frames.length + replayed.events.length).toBeGreaterThan(0);
  expect(reread(replayed)).toEqual({ frames: replayed.frames, events: replayed.events });
}

/** Servers that write nothing readable are given up after this long. */
const SHORT = { timeoutMs: 3000 };

describe.concurrent('a stdio server that fails to start', () => {
  it('is told apart from one that does not exist', async () => {
    const replayed = await replayOnce({
      transport: 'stdio',
      command: '/nonexistent/server',
      args: [],
      cwd: null,
    });
    expect(endingOf(replayed)).toMatchObject({
      outcome: 'serverDidNotStart',
      sentence:
        "The server did not start: /nonexistent/server could not be started: spawn /nonexistent/server ENOENT. The call was not sent. Check the target's command and working folder.",
    });
    expectRereadEqual(replayed);
  });

  it('names a command that may not be run, and a folder that is not there', async () => {
    const notExecutable = join(newFolder(), 'server');
    writeFileSync(notExecutable, '#!/bin/sh\n', { mode: 0o644 });
    const forbidden = await replayOnce({
      transport: 'stdio',
      command: notExecutable,
      args: [],
      cwd: null,
    });
    expect(endingOf(forbidden).sentence).toContain('EACCES');
    const homeless = await replayOnce(stdioTarget('echo'), { defaultCwd: '/nonexistent/folder' });
    expect(endingOf(homeless).sentence).toContain(
      'the working folder /nonexistent/folder does not exist',
    );
  });

  it('exits on start: says so with the exit code and its last words', async () => {
    const replayed = await replayOnce(stdioTarget('exit-on-start'));
    expect(endingOf(replayed)).toMatchObject({
      outcome: 'serverDidNotStart',
      sentence:
        "The server ended before it answered initialize: the server exited with code 7. The call was not sent. Check the target's command and arguments; its whole stderr is beside the frames. Its last line on stderr: cannot open the warehouse",
    });
    expect(replayed.events).toContainEqual(
      expect.objectContaining({ kind: 'stderr', text: 'cannot open the warehouse\n' }),
    );
    expect(replayed.events).toContainEqual(
      expect.objectContaining({ kind: 'exit', text: 'exit code 7' }),
    );
    expectRereadEqual(replayed);
  });

  it('closes its stdin but lives on: the connection is lost', async () => {
    const replayed = await replayOnce(stdioTarget('closes-stdin'), {
      argumentsText: `{"long":"${'x'.repeat(1_000_000)}"}`,
    });
    expect(endingOf(replayed)).toMatchObject({ outcome: 'connectionLost' });
    expect(endingOf(replayed).sentence).toContain('the server no longer reads its stdin');
  });

  it.each([
    ['silent-initialize', 'The server did not answer initialize within 3 s.'],
    [
      'initialize-error',
      "The server's answer to initialize can't be used: it is error -32000: not today.",
    ],
    ['initialize-mark', 'does not read it. Starts with a byte order mark'],
    ['initialize-minus-one', "can't be used: it is error -1: shut for stocktaking. The call"],
    ['initialize-without-id', 'within 3 s. It wrote error -32600 without an id: unreadable. The'],
    [
      'initialize-lacks',
      "can't be used: it lacks protocolVersion, serverInfo.version; its capabilities is no object. The",
    ],
    ['initialize-empty', 'it lacks protocolVersion, capabilities, serverInfo. The call'],
    ['initialize-odd', 'one of its members is not what the protocol asks for. The call'],
    ['initialize-extra-key', 'it lacks protocolVersion, capabilities, serverInfo.'],
    ['ancient-revision', 'it chose protocol revision 1999-01-01, which Misstep does not speak.'],
    ['list-error', 'it is error -32603: lost the list.'],
  ])('%s: the handshake failed and nothing was sent', async (behaviour, sentence) => {
    const replayed = await replayOnce(stdioTarget(behaviour), SHORT);
    const ending = endingOf(replayed);
    expect(ending.sentence).toContain(sentence);
    expect(ending.sentence).toContain('The call was not sent.');
    expect(ending.outcome).toBe('handshakeFailed');
    expect(replayed.frames.some(({ method }) => method === 'tools/call')).toBe(false);
    expectRereadEqual(replayed);
  });
});

describe.concurrent('a stdio server that does not answer the call', () => {
  it('exits mid-call', async () => {
    const replayed = await replayOnce(stdioTarget('exit-mid-call'));
    expect(endingOf(replayed)).toMatchObject({
      outcome: 'serverExited',
      sentence:
        'The server ended before it answered the call: the server exited with code 3. Whether the tool did its work is not known. Its last line on stderr: out of shelves',
      comparison: null,
    });
    expectRereadEqual(replayed);
  });

  it('never answers: the call is taken back and timed out', async () => {
    const replayed = await replayOnce(stdioTarget('never-answers'), SHORT);
    expect(endingOf(replayed)).toMatchObject({
      outcome: 'timedOut',
      sentence:
        'The server did not answer the call within 3 s. Whether the tool did its work is not known. Check that before you send it again; where the tool is slow, give it a longer timeout.',
    });
    expect(replayed.frames.at(-1)?.method).toBe('notifications/cancelled');
    expect(replayed.events.map(({ kind }) => kind)).toContain('timeout');
    expectRereadEqual(replayed);
  });

  it('is cancelled by the person', async () => {
    const controller = new AbortController();
    const replayed = await replayOnce(stdioTarget('never-answers'), {
      signal: controller.signal,
      onState: (state) => state === 'waiting' && setImmediate(() => controller.abort()),
    });
    expect(endingOf(replayed)).toMatchObject({
      outcome: 'cancelled',
      sentence:
        'You cancelled it while the call was running. Whether the tool did its work is not known.',
    });
    expect(replayed.frames.at(-1)?.method).toBe('notifications/cancelled');
  });

  it.each([
    ['closes-stdout', 'known. Check that before you send it again.'],
    ['closes-stdout-early', 'not sent. Check that the server runs, then send it again.'],
  ])('%s but lives on: lost at once, not timed out', async (behaviour, effect) => {
    const replayed = await replayOnce(stdioTarget(behaviour));
    expect(endingOf(replayed)).toMatchObject({
      outcome: 'connectionLost',
      sentence: expect.stringContaining(effect),
    });
    expect(replayed.events).toContainEqual(
      expect.objectContaining({ kind: 'error', text: 'the server closed its stdout but runs on' }),
    );
    expect(replayed.events.map(({ kind }) => kind)).not.toContain('timeout');
    expectRereadEqual(replayed);
  });

  it('Misstep itself is stopped: not said to be the person, before and after the call', async () => {
    const controller = new AbortController();
    const during = await replayOnce(stdioTarget('never-answers'), {
      signal: controller.signal,
      onState: (state) =>
        state === 'waiting' && setImmediate(() => controller.abort(new MisstepStopped())),
    });
    expect(endingOf(during)).toMatchObject({
      outcome: 'interrupted',
      sentence:
        'Misstep was stopped while the call was running; the frames so far are kept. Whether the tool did its work is not known.',
    });
    expect(during.frames.at(-1)?.method).toBe('notifications/cancelled');
    expect(during.events.some(({ text }) => text.includes('person'))).toBe(false);
    const before = await replayOnce(stdioTarget('never-answers'), {
      signal: AbortSignal.abort(new MisstepStopped()),
    });
    expect(endingOf(before)).toMatchObject({
      outcome: 'interrupted',
      sentence: 'Misstep was stopped before the call was sent.',
    });
  });

  it('is cancelled before anything was sent', async () => {
    const replayed = await replayOnce(stdioTarget('never-answers'), {
      signal: AbortSignal.abort(),
    });
    expect(endingOf(replayed).sentence).toBe('You cancelled it before the call was sent.');
    expect(replayed.frames.some(({ method }) => method === 'tools/call')).toBe(false);
  });

  it.each([
    ['noise-only', 'timedOut', 'It wrote 1 line that is no JSON instead.'],
    [
      'other-id',
      'timedOut',
      "The server answered id 999, but the call's id is 2, so the call has no answer",
    ],
    ['string-id', 'timedOut', 'The server answered with id "2", but the call\'s id is 2'],
    ['string-ids', 'timedOut', 'The server answered with id "2", but the call\'s id is 2'],
    [
      'invalid-json',
      'malformedAnswer',
      "1 frame after the call that can't be read as an answer; no readable answer came within 3 s. Not JSON: Expected",
    ],
    [
      'invalid-json-then-exit',
      'malformedAnswer',
      'the server exited with code 0. Not JSON: Expected',
    ],
    [
      'error-without-id',
      'protocolError',
      "The server wrote error -32700 without the call's id, so clients saw no answer: cannot read the label. After that no readable answer came within 3 s.",
    ],
    [
      'error-without-id-then-exit',
      'protocolError',
      'cannot read the label. After that the server exited with code 1.',
    ],
    ['nan-answer', 'malformedAnswer', 'but found "NaN"'],
    ['pretty-printed', 'malformedAnswer', 'The server spread its answer over several lines'],
    ['both-members', 'malformedAnswer', 'Holds both "result" and "error"'],
    ['batch-answer', 'malformedAnswer', 'The server answered inside a batch'],
  ])('%s: %s', async (behaviour, outcome, sentence) => {
    const replayed = await replayOnce(stdioTarget(behaviour), SHORT);
    expect(endingOf(replayed).sentence).toContain(sentence);
    expect(endingOf(replayed).sentence).toContain('Whether the tool did its work is not known.');
    expect(endingOf(replayed).outcome).toBe(outcome);
    expect(endingOf(replayed).receipt.result.sha256).toBeNull();
    expect(serverFrames(replayed).at(-1)?.remark).not.toBeNull();
    expectRereadEqual(replayed);
  });
});

describe('a stdio server that answers, but', () => {
  it.each([
    'is-error',
    'json-rpc-error',
    'banner',
    'answers-twice',
    'unterminated-answer',
    'slow-with-progress',
  ])('%s: the frames and the log agree', async (behaviour) => {
    expectRereadEqual(await replayOnce(stdioTarget(behaviour)));
  });

  it('the tool failed', async () => {
    const ending = endingOf(await replayOnce(stdioTarget('is-error')));
    expect(ending.outcome).toBe('toolError');
    expect(ending.comparison?.sentence).toContain('the shelf is locked');
    expect(ending.receipt.result.sizeBytes).toBeGreaterThan(0);
  });

  it('with a protocol error', async () => {
    const ending = endingOf(await replayOnce(stdioTarget('json-rpc-error')));
    expect(ending).toMatchObject({
      outcome: 'protocolError',
      sentence: expect.stringContaining('-32602: no such shelf. It takes the tool or its'),
      receipt: {
        outcomeDetail: '{"code":-32602,"message":"no such shelf","data":{"n":1.0}}',
        result: { sha256: null },
      },
    });
  });

  it('after a banner on stdout', async () => {
    const replayed = await replayOnce(stdioTarget('banner'));
    expect(endingOf(replayed).outcome).toBe('result');
    expect(serverFrames(replayed).slice(0, 2)).toMatchObject([
      { kind: 'noise', text: 'Warehouse server 1.0 listening' },
      { kind: 'noise', text: '' },
    ]);
  });

  it('twice: the first one counts', async () => {
    const replayed = await replayOnce(stdioTarget('answers-twice'));
    expect(endingOf(replayed).outcome).toBe('result');
    expect(endingOf(replayed).comparison?.sentence).toContain('first');
    expect(serverFrames(replayed).at(-1)?.remark).toBe(
      'A second answer to the request with id 2: the first one counts.',
    );
  });

  it('slowly, with progress on the way', async () => {
    const replayed = await replayOnce(stdioTarget('slow-with-progress'));
    expect(endingOf(replayed).outcome).toBe('result');
    expect(
      serverFrames(replayed).filter(({ method }) => method === 'notifications/progress'),
    ).toHaveLength(3);
  });

  it('with 20 MB', async () => {
    const replayed = await replayOnce(stdioTarget('huge-answer'));
    const { receipt, outcome } = endingOf(replayed);
    expect(outcome).toBe('result');
    expect(receipt.result.sizeBytes).toBeGreaterThan(20 * 1024 * 1024);
    const frame = serverFrames(replayed).at(-1);
    expect(frame?.textOmittedBytes).toBe((frame?.sizeBytes ?? 0) - 256 * 1024);
    expectRereadEqual(replayed);
  });

  it('with more than fits', async () => {
    const replayed = await replayOnce(stdioTarget('huge-answer'), { maxFrameBytes: 1_000_000 });
    expect(endingOf(replayed).outcome).toBe('tooLarge');
    expect(endingOf(replayed).sentence).toBe(
      "The server sent more than Misstep takes: a frame is larger than 1000000 bytes. The limit is fixed; what came up to it is kept. Whether the tool did its work is not known. Ask for less: a page, a filter, fewer fields; no model's context holds so much.",
    );
    expect(serverFrames(replayed).at(-1)).toMatchObject({ sizeBytes: 1_000_000 });
    expect(serverFrames(replayed).at(-1)?.remark).toBe(
      'Cut by Misstep at 1000000 bytes, the largest frame that it keeps; what follows was not kept.',
    );
    expect(serverFrames(replayed).at(-1)?.kind).toBe('cut');
    expectRereadEqual(replayed);
  });

  it('not at all, but with a flood of lines', async () => {
    const replayed = await replayOnce(stdioTarget('frame-flood'), { timeoutMs: 100_000 });
    expect(endingOf(replayed).outcome).toBe('tooLarge');
    expect(endingOf(replayed).sentence).toContain('there are more than 100000 frames');
    expect(serverFrames(replayed)).toHaveLength(100_001);
  }, 120_000);

  it('after 100 MB of stderr, of which both ends are kept', async () => {
    const replayed = await replayOnce(stdioTarget('stderr-flood'));
    expect(endingOf(replayed).outcome).toBe('result');
    const stderr = replayed.events.filter(({ kind }) => kind === 'stderr');
    const text = stderr.map((event) => event.text).join('');
    expect(text.length).toBe(512 * 1024);
    expect(text.startsWith('first words\n')).toBe(true);
    expect(text.endsWith('\nlast words\n')).toBe(true);
    const written = 100 * 1024 * 1024 + 'first words\n\nlast words\n'.length;
    expect(replayed.events).toContainEqual(
      expect.objectContaining({
        kind: 'stderrOmitted',
        text: `${written - 512 * 1024} bytes of stderr are not kept`,
      }),
    );
    expectRereadEqual(replayed);
  });

  it('asks us things meanwhile: ping is answered, the rest declined', async () => {
    const replayed = await replayOnce(stdioTarget('asks-client'));
    expect(endingOf(replayed).outcome).toBe('result');
    const answers = answerText(replayed)
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers[0].result).toEqual({});
    for (const [at, method] of [
      'roots/list',
      'sampling/createMessage',
      'elicitation/create',
    ].entries()) {
      expect(answers[at + 1].error).toMatchObject({
        code: -32601,
        message: `Misstep declines ${method}: it sends one call only`,
      });
    }
  });
});

describe('the list of tools', () => {
  it('is read page by page', async () => {
    const replayed = await replayOnce(stdioTarget('paged-list'), {
      tool: 'count_boxes',
      confirmTool: 'count_boxes',
    });
    expect(endingOf(replayed).receipt).toMatchObject({
      tool: 'count_boxes',
      pins: { tool: 'edited' },
      toolDefinition: { readOnlyHint: null },
    });
    expect(replayed.frames.filter(({ method }) => method === 'tools/list')).toHaveLength(3);
  });

  it('is not taken for whole where its cursor does not move on', async () => {
    const replayed = await replayOnce(stdioTarget('endless-list'));
    expect(endingOf(replayed).outcome).toBe('handshakeFailed');
    expect(endingOf(replayed).sentence).toContain('the list has no end; 6 tools came.');
    expect(replayed.frames.filter(({ method }) => method === 'tools/list')).toHaveLength(2);
  });

  it('does not hold the tool: nothing is sent', async () => {
    const replayed = await replayOnce(stdioTarget('echo'), { tool: 'ehco', confirmTool: 'ehco' });
    expect(refusalOf(replayed)).toEqual({
      reason: 'toolUnknown',
      sentence:
        'The server does not list a tool named ehco, so nothing was sent; its 3 tools, nearest first, are echo, wipe_shelf, count_boxes. Choose the tool that took its place, or another server.',
    });
    expect(replayed.frames.some(({ method }) => method === 'tools/call')).toBe(false);
  });
});
