import fc from 'fast-check';
import { expect, test } from 'vitest';
import { breakable } from '../../src/features/step-panel/visible-text.ts';

test('a word without an end may be broken, and nothing is lost or split', () => {
  const piece = fc.oneof(
    fc.constantFrom(' ', '\n', '漢', '😀', 'W', '\ud83d'),
    fc.integer({ min: 1, max: 3000 }).map((length) => 'x'.repeat(length)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      const parts = breakable(text);
      expect(parts.join('')).toBe(text);
      for (const [index, part] of parts.entries()) {
        expect(Math.max(...part.split(/\s/).map((word) => word.length))).toBeLessThanOrEqual(501);
        // Both halves of a character stay together.
        if (index > 0)
          expect(
            /[\ud800-\udbff]$/.test(parts[index - 1] ?? '') && /^[\udc00-\udfff]/.test(part),
          ).toBe(false);
      }
    }),
  );
});

test('prose is left as it is', () => {
  const prose = 'Nine kegs stand on the shelf.\n'.repeat(1000);
  expect(breakable(prose)).toEqual([prose]);
});
