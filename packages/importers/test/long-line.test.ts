import type { SourceHash } from '@misstep/model';
import { expect, test } from 'vitest';
import { importerById, MAX_LINE_BYTES, type SourceReader } from '../src/index.ts';
import { expectAccountsAddUp } from './invariants.ts';

const LINES: Readonly<Record<string, string>> = {
  'claude-code-jsonl':
    '{"type":"user","uuid":"u1","sessionId":"s","message":{"role":"user","content":"Where is it?"}}',
  'codex-rollout':
    '{"type":"response_item","timestamp":"2026-01-05T10:00:00Z","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Where is it?"}]}}',
  'json-rpc-lines': '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
};

/** A short line, a line that is too long, and the short one again, none of it in memory as a whole. */
function sourceWith(short: string): SourceReader {
  const text = new TextEncoder().encode(`${short}\n`);
  const longBytes = MAX_LINE_BYTES + 7;
  const sizeBytes = text.length + longBytes + 1 + text.length;
  return {
    // A hash of the right form.
    sha256: 'a'.repeat(64) as SourceHash,
    name: 'long',
    sizeBytes,
    async read(offset, length) {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, sizeBytes - offset))).fill(0x78);
      const put = (at: number, part: Uint8Array): void => {
        for (const [index, byte] of part.entries()) {
          const place = at + index - offset;
          if (place >= 0 && place < bytes.length) bytes[place] = byte;
        }
      };
      put(0, text);
      put(text.length + longBytes, new TextEncoder().encode('\n'));
      put(text.length + longBytes + 1, text);
      return bytes;
    },
  };
}

test.each(Object.entries(LINES))(
  '%s keeps a line that is too long, and says so',
  async (id, short) => {
    const main = sourceWith(short);
    const result = await importerById(id)?.read({ main, companions: [] });
    if (result === undefined) throw new Error(`no importer ${id}`);
    expectAccountsAddUp(result, [main]);
    const offset = short.length + 1;
    expect(result.sources[0]?.records).toMatchObject({ total: 3, malformed: 1 });
    expect(result.sources[0]?.unused.filter(({ state }) => state === 'malformed')).toMatchObject([
      { offset, length: MAX_LINE_BYTES + 7 },
    ]);
    const said = result.issues.find(({ code }) => code === 'LINE_TOO_LONG');
    expect(said).toMatchObject({ offset });
    expect(said?.message).toContain('files of their own');
  },
);
