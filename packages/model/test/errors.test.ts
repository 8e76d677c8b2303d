import { describe, expect, test } from 'vitest';
import { ERROR_CATALOGUE } from '../src/index.ts';

const hints = Object.entries(ERROR_CATALOGUE).map(([code, { hint }]) => [code, hint] as const);

describe('every error of the catalogue', () => {
  test.each(hints)('%s says something to do that holds wherever it is read', (_code, hint) => {
    expect(hint).toMatch(/^[A-Z`].*\.$/);
    expect(hint.split(' ').length).toBeGreaterThan(2);
    // A hint that points at words that may not be there, or back at itself, helps nobody.
    expect(hint).not.toMatch(/the field that|what the message says|^try again|^check the address/i);
    // A command is read on a page too, and a page in a shell: each is named as what it is.
    for (const [, command] of hint.matchAll(/`([^`]+)`/g))
      expect(command).toMatch(/^misstep |^wire$/);
  });

  test('no two say the same', () => {
    expect(new Set(hints.map(([, hint]) => hint)).size).toBe(hints.length);
  });
});
