import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { PacedStream } from '../src/paced-stream.ts';

/** Work that takes a while, as that on a flood of frames does. */
function workFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('PacedStream', () => {
  it('lets timers run while one chunk brings a lot of work', async () => {
    const stream = new PassThrough({ highWaterMark: 1 << 20 });
    let seen = 0;
    const paced = new PacedStream(stream, (piece) => {
      seen += piece.length;
      workFor(2);
    });
    stream.write(Buffer.alloc(50 * 4096));
    const seenAtTimer = await new Promise<number>((resolve) => setTimeout(() => resolve(seen), 1));
    expect(seenAtTimer).toBeLessThan(50 * 4096);
    paced.drain(Number.POSITIVE_INFINITY);
    expect(paced.leftOutBytes).toBe(0);
    expect(seen).toBe(50 * 4096);
  });

  it('hands on everything in its order, whatever the chunks are', async () => {
    const stream = new PassThrough();
    const pieces: Uint8Array[] = [];
    const paced = new PacedStream(stream, (piece) => pieces.push(piece));
    const sent = Buffer.from(Array.from({ length: 30_000 }, (_, at) => at % 251));
    for (const size of [1, 4096, 4097, 9999]) stream.write(sent.subarray(0, size));
    const ended = new Promise<void>((resolve) => stream.once('end', () => resolve()));
    stream.end();
    await ended;
    // A stream ends as its last chunk is given out, worked on or not.
    paced.drain(Number.POSITIVE_INFINITY);
    const whole = Buffer.concat([1, 4096, 4097, 9999].map((size) => sent.subarray(0, size)));
    expect(Buffer.concat(pieces).equals(whole)).toBe(true);
  });

  it('counts what a short drain leaves out', async () => {
    const stream = new PassThrough({ highWaterMark: 1 << 20 });
    let seen = 0;
    const paced = new PacedStream(stream, (piece) => {
      seen += piece.length;
      workFor(20);
    });
    stream.write(Buffer.alloc(20 * 4096));
    await new Promise((resolve) => setImmediate(resolve));
    paced.drain(30);
    expect(paced.leftOutBytes).toBeGreaterThan(0);
    expect(seen + paced.leftOutBytes).toBe(20 * 4096);
  });

  it('holds nothing once it is told to discard', async () => {
    const stream = new PassThrough();
    let seen = 0;
    const paced = new PacedStream(stream, (piece) => {
      seen += piece.length;
    });
    paced.discard();
    const ended = new Promise<void>((resolve) => stream.once('end', () => resolve()));
    stream.end(Buffer.alloc(100_000));
    await ended;
    expect(seen).toBe(0);
    expect(paced.leftOutBytes).toBe(100_000);
  });
});
