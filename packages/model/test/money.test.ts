import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readUsd, usdText } from '../src/index.ts';

it.each([
  ['0', 0n],
  ['3', 3_000_000_000_000n],
  ['0.0123', 12_300_000_000n],
  ['.5', 500_000_000_000n],
  ['1.2e-05', 12_000_000n],
  ['1E+1', 10_000_000_000_000n],
  ['0.0000000000005', 1n],
  ['0.0000000000004', 0n],
])('%s reads as %s pico-dollars', (text, pico) => {
  expect(readUsd(text)).toBe(pico);
});

it.each(['', '.', '-1', '1,5', '$3', 'NaN', '1e999', '1'.repeat(60), ' 3', '0x10', '1e'])(
  '%j is no amount',
  (text) => {
    expect(readUsd(text)).toBeNull();
  },
);

it('reads what it writes as the same amount', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), (pico) => {
      expect(readUsd(usdText(pico))).toBe(pico);
    }),
  );
});
