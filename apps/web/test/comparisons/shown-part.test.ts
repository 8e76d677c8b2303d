import { describe, expect, it } from 'vitest';
import { shownPart } from '../../src/features/comparisons/shown-part.ts';

describe('what a narrow cell shows of a value', () => {
  it('is all of a short one', () => {
    expect(shownPart('"2026-01-01"', '"2026-01-02"')).toBe('"2026-01-01"');
  });

  it('is the part where a long one leaves the other, with what is left out counted', () => {
    const shown = shownPart(`${'a'.repeat(300)}END`, `${'a'.repeat(300)}end`);
    expect(shown).toMatch(/^\(\d+ before\) a+END$/);
    const middle = shownPart(`${'a'.repeat(100)}X${'b'.repeat(100)}`, `${'a'.repeat(100)}Y`);
    expect(middle).toMatch(/^\(\d+ before\) a+Xb+ \(\d+ more\)$/);
    const [before, after] = [...middle.matchAll(/\d+/g)].map(([digits]) => Number(digits));
    const part = middle.replace(/\([^)]*\)/g, '').trim();
    expect((before ?? 0) + (after ?? 0) + part.length).toBe(201);
  });

  it('never halves a pair', () => {
    const shown = shownPart('😀'.repeat(100), null);
    expect(shown).not.toMatch(
      /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/,
    );
  });
});
