import { readFileSync } from 'node:fs';
import { readFrameLog } from '@misstep/model';
import { expect, test } from 'vitest';
import { sampleRuns } from '../src/index.ts';

test('the three samples tell of the same six calls', () => {
  const [session, ticket, wire] = sampleRuns().map(({ path }) => readFileSync(path));
  const { entries, damage } = readFrameLog(wire ?? new Uint8Array());
  const calls = entries
    .map((entry) => new TextDecoder().decode(entry.payload))
    .filter((text) => text.includes('"method":"tools/call"'))
    .map((text) => /"name":"(\w+)","arguments":(\{.*\}),"_meta"/.exec(text)?.slice(1));
  expect(damage).toEqual([]);
  expect(calls).toHaveLength(6);
  for (const [name, argumentsText] of calls.map((call) => call ?? [])) {
    expect(session?.toString()).toContain(`"name":"mcp__seeds__${name}","input":${argumentsText}`);
    expect(ticket?.toString()).toContain(`→ seeds/${name} ${argumentsText}`);
  }
  expect(ticket?.toString()).toContain('"truncated": true, "orders": [ …20 items… ]');
});
