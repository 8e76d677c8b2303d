import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter } from '../src/line-splitter.ts';

function split(chunks: readonly Uint8Array[], capBytes = 1_000_000) {
  const lines: string[] = [];
  const tooLarge: { text: string; seenBytes: number }[] = [];
  const splitter = new LineSplitter(capBytes, {
    line: (bytes) => lines.push(Buffer.from(bytes).toString('latin1')),
    tooLarge: (bytes, seenBytes) =>
      tooLarge.push({ text: Buffer.from(bytes).toString('latin1'), seenBytes }),
  });
  for (const chunk of chunks) splitter.push(chunk);
  const rest = splitter.rest();
  return { lines, tooLarge, rest: rest === null ? null : Buffer.from(rest).toString('latin1') };
}

describe('LineSplitter', () => {
  it('gives lines without their endings, empty ones too, and the rest', () => {
    expect(split([Buffer.from('a\r\n\nb\rc\nd')])).toEqual({
      lines: ['a', '', 'b\rc'],
      tooLarge: [],
      rest: 'd',
    });
  });

  it('gives the same however the bytes are cut into chunks', () => {
    const bytesOfLines = fc
      .uint8Array({ maxLength: 60 })
      .map((bytes) => bytes.map((byte) => (byte < 60 ? 10 : byte)));
    fc.assert(
      fc.property(bytesOfLines, fc.array(fc.nat(60), { maxLength: 6 }), (bytes, cuts) => {
        const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].sort(
          (a, b) => a - b,
        );
        const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        const whole = split([bytes]);
        expect(split(chunks)).toEqual(whole);
        const joined = [...whole.lines.map((line) => `${line}\n`), whole.rest ?? ''].join('');
        // No byte below 60 but the line feed is generated, so no carriage return is taken away.
        expect(joined).toBe(Buffer.from(bytes).toString('latin1'));
      }),
    );
  });

  it('stops at the cap with the first bytes and a count', () => {
    expect(split([Buffer.from('ok\n12345'), Buffer.from('678\nnever\n')], 6)).toEqual({
      lines: ['ok'],
      tooLarge: [{ text: '123456', seenBytes: 8 }],
      rest: null,
    });
  });
});
