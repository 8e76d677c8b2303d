import { describe, expect, it } from 'vitest';
import {
  endingOf,
  type Replayed,
  replayOnce,
  reread,
  serverFrames,
  stdioTarget,
} from './replay-once.ts';

function expectRereadEqual(replayed: Replayed): void {
  expect(replayed.frames.length + replayed.events.length).toBeGreaterThan(0);
  expect(reread(replayed)).toEqual({ frames: replayed.frames, events: replayed.events });
}

describe('a stdio server that answers with', () => {
  it.each([
    ['unterminated-answer', 'without a line feed'],
    ['mark-first', 'Starts with a byte order mark'],
    ['extra-key', 'Holds "extra" beside the members of JSON-RPC'],
    ['null-result', '"result" is no object'],
  ])('%s: clients would not take it', async (behaviour, why) => {
    const replayed = await replayOnce(stdioTarget(behaviour));
    const ending = endingOf(replayed);
    expect(ending.outcome).toBe('malformedAnswer');
    expect(ending.sentence).toContain('but clients would not take the answer: ');
    expect(ending.sentence).toContain(why);
    expect(serverFrames(replayed).at(-1)?.remark).toContain(why);
    expect(ending.receipt.result.sizeBytes).toBeGreaterThan(0);
    expect(ending.comparison).not.toBeNull();
    expectRereadEqual(replayed);
  });

  it.each([
    ['text-content', 'Its "content" is no list.'],
    ['bare-content', 'Item 0 of its "content" is no object with a "type".'],
    ['error-word', 'Its "isError" is neither true nor false.'],
    ['structured-list', 'Its "structuredContent" is no object.'],
  ])('%s: clients would not take it for a tool result', async (behaviour, why) => {
    const ending = endingOf(await replayOnce(stdioTarget(behaviour)));
    expect(ending.outcome).toBe('malformedAnswer');
    expect(ending.sentence).toContain(`but clients would not take the answer: ${why} `);
    expect(ending.comparison).not.toBeNull();
  });
});
