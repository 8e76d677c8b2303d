import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startClock, type TapRecord, TapWriter } from '../src/index.ts';
import { STDERR_HEAD_BYTES, STDERR_TAIL_BYTES, StderrKeeper } from '../src/stderr-keeper.ts';

function keep(chunks: readonly Uint8Array[]) {
  const records: TapRecord[] = [];
  const keeper = new StderrKeeper(new TapWriter((record) => records.push(record), startClock()));
  for (const chunk of chunks) keeper.push(chunk);
  keeper.finish();
  const text = records
    .filter(({ lane }) => lane === '!')
    .map(({ bytes }) => Buffer.from(bytes).toString('latin1'))
    .join('');
  const note = records.find(({ lane }) => lane === '#');
  return { text, note: note === undefined ? null : Buffer.from(note.bytes).toString('utf8') };
}

describe('StderrKeeper', () => {
  it('keeps both ends of a flood and counts the middle', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 200_000 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(sizes, (lengths) => {
        const chunks = lengths.map((length, at) => Buffer.alloc(length, 65 + at));
        const all = Buffer.concat(chunks).toString('latin1');
        const { text, note } = keep(chunks);
        const omitted = Math.max(0, all.length - STDERR_HEAD_BYTES - STDERR_TAIL_BYTES);
        // Compared as booleans: a difference of half a megabyte is no help in a report.
        if (omitted === 0) {
          expect(text === all).toBe(true);
          expect(note).toBeNull();
        } else {
          const ends = all.slice(0, STDERR_HEAD_BYTES) + all.slice(-STDERR_TAIL_BYTES);
          expect(text === ends).toBe(true);
          expect(note).toContain(`"${omitted} bytes of stderr are not kept"`);
        }
      }),
      { numRuns: 30 },
    );
  });
});
