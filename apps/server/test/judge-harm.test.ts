import { describe, expect, test } from 'vitest';
import { wordHarm } from '../src/services/experiment/judge-harm.ts';

const says = (by: 'server' | 'recording', readOnlyHint: boolean | null) => ({
  by,
  isListed: true as const,
  readOnlyHint,
  destructiveHint: null,
});
const unasked = { by: null } as const;

describe('what a plan says of its harm', () => {
  test('tells apart who says it and who was not asked', () => {
    const harm = (said: Parameters<typeof wordHarm>[0]) => wordHarm(said, 'find', false, 3).harm;
    expect(harm(says('server', null))).toMatch(/^The server says nothing of find being read-only/);
    expect(harm(says('server', false))).toMatch(/^The server says that find is not read-only/);
    expect(harm(says('server', true))).toMatch(/^The server says readOnlyHint of find/);
    expect(harm(says('recording', null))).toContain('The server was not asked yet.');
    expect(harm(says('recording', null))).toMatch(/^The recording’s definition says nothing/);
    expect(harm(unasked)).toContain('the server was not asked yet');
    expect(harm({ by: 'server', isListed: false })).toMatch(/^The server lists no find\./);
  });

  test('never says both that something may change and that no name is asked for', () => {
    const sayings = [
      unasked,
      { by: 'server', isListed: false } as const,
      ...(['server', 'recording'] as const).flatMap((by) =>
        [true, false, null].map((hint) => says(by, hint)),
      ),
    ];
    for (const said of sayings) {
      for (const isTrusted of [true, false]) {
        const { needsName, destructiveCount, harm } = wordHarm(said, 'find', isTrusted, 3);
        expect(destructiveCount).toBe(needsName ? 3 : 0);
        expect(harm.includes('may change something')).toBe(needsName);
        // Only a hint that the person trusts stands in for the name.
        if (needsName) expect(isTrusted && said === sayings[0]).toBe(false);
        else expect(isTrusted).toBe(true);
      }
    }
  });
});
