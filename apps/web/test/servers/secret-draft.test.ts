import { describe, expect, it } from 'vitest';
import {
  emptySecret,
  readSecretDrafts,
  secretProblem,
} from '../../src/features/servers/secret-draft.ts';

const rows = (...pairs: [string, string][]) =>
  pairs.map(([name, value], key) => ({ key, name, value }));

describe('rows of names and values', () => {
  it('leave out what is empty, and take a name without a value', () => {
    expect(
      readSecretDrafts(rows([' KEY ', ' v '], ['', ''], ['LATER', '']), 'environment'),
    ).toEqual([
      { kind: 'environment', name: 'KEY', value: ' v ' },
      { kind: 'environment', name: 'LATER', value: null },
    ]);
  });

  it('say what is wrong with a name, never with a value', () => {
    expect(secretProblem(rows(['KEY', 'x'], ['', '']), 'environment')).toBeNull();
    expect(secretProblem(rows(['', 'secret']), 'environment')).toBe('A value needs a name.');
    expect(secretProblem(rows(['A=B', 'secret']), 'environment')).toContain('"A=B"');
    expect(secretProblem(rows(['Host', 'secret']), 'header')).toContain('written by Misstep');
    expect(secretProblem(rows(['x-a', '1'], ['X-A', '2']), 'header')).toBe('"X-A" stands twice.');
    expect(secretProblem(rows(['x', '1'], ['X', '2']), 'environment')).toBeNull();
  });

  it('have keys of their own', () => {
    const one = emptySecret([]);
    expect(emptySecret([one, { key: 7, name: '', value: '' }]).key).toBe(8);
  });
});
