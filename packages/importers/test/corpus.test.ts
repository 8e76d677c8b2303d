import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claudeCodeJsonl } from '../src/formats/claude-code-jsonl.ts';
import { chooseFormat, importerById, makeSourceHead, type SourceReader } from '../src/index.ts';
import { claimedFormat, holdsPlainMessages } from './corpus-claims.ts';
import { expectAccountsAddUp, expectSchemas, expectValuesReread } from './invariants.ts';
import { CORPUS_FOLDER, companionsOf, filesBelow, sourceOfFile, stepsOf } from './support.ts';

const sessions = filesBelow(join(CORPUS_FOLDER, 'claude-code'));
const pastes = filesBelow(join(CORPUS_FOLDER, 'terminal-paste'));
const recordings = ['mcporter', 'mcp-rec'].flatMap((folder) =>
  filesBelow(join(CORPUS_FOLDER, folder)),
);
/** Folders whose files have an importer and a test of their own. */
const READ_BY_OTHERS =
  /^(?:aider|chatgpt|claude-ai|claude-code-stream|claude-desktop-log|cline-roo|codex|cursor|gemini-cli|opencode|specstory-md|vscode-copilot|vscode-mcp-log)\//;
const others = filesBelow(CORPUS_FOLDER).filter(
  (path) =>
    !sessions.includes(path) &&
    !pastes.includes(path) &&
    !recordings.includes(path) &&
    !READ_BY_OTHERS.test(relative(CORPUS_FOLDER, path)),
);
const name = (path: string): string => relative(CORPUS_FOLDER, path);
const skip = sessions.length === 0;
if (skip) console.info(`The corpus is not at ${CORPUS_FOLDER}: its tests are skipped.`);

describe.skipIf(skip)('real files', () => {
  test.each(sessions.filter((path) => path.endsWith('.jsonl')).map(name))(
    'session %s',
    async (file) => {
      const path = join(CORPUS_FOLDER, file);
      const main = sourceOfFile(path);
      const near = sessions.filter(
        (other) =>
          other !== path &&
          other.endsWith('.jsonl') &&
          (dirname(other) === dirname(path) ||
            other.startsWith(`${path.replace(/\.jsonl$/, '')}/`)),
      );
      const companions = await companionsOf(claudeCodeJsonl, main, near);
      const readers = [main, ...companions.map(({ reader }) => reader)];
      const result = await claudeCodeJsonl.read({ main, companions });
      expectAccountsAddUp(result, readers);
      const told = await countByHand(readers);
      const steps = stepsOf(result).filter(({ kind }) => kind === 'tool' || kind === 'agent');
      expect(steps.map(({ callId }) => callId).sort()).toEqual(told.calls.sort());
      const answered = steps.flatMap(({ pairing, callId }) =>
        pairing?.by === 'id' ? [callId] : [],
      );
      const expected = [...told.results].filter((id) => told.calls.includes(id));
      expect([...new Set(answered)].sort()).toEqual(expected.sort());
      if (main.sizeBytes < 400_000) {
        expectSchemas(result);
        await expectValuesReread(result, readers);
      }
    },
  );

  test.each(
    [...pastes, ...recordings, ...sessions.filter((path) => !path.endsWith('.jsonl'))].map(name),
  )('file %s', async (file) => {
    const main = sourceOfFile(join(CORPUS_FOLDER, file));
    const { importer } = chooseFormat(await makeSourceHead(main));
    const result = await (importer ?? claudeCodeJsonl).read({ main, companions: [] });
    expectAccountsAddUp(result, [main]);
    expectSchemas(result);
    await expectValuesReread(result, [main]);
  });

  test('the right importer is chosen', async () => {
    const chosen = async (path: string): Promise<string | undefined> =>
      chooseFormat(await makeSourceHead(sourceOfFile(path))).importer?.id;
    for (const path of recordings.filter(
      (each) => /\.(nd)?jsonl?$/.test(each) && !each.includes('cassette'),
    )) {
      expect([path, await chosen(path)]).toEqual([path, 'json-rpc-lines']);
    }
    for (const path of pastes)
      expect([path, await chosen(path)]).toEqual([path, 'claude-code-terminal']);
  });

  test('files of other formats are left alone or read as plain text', async () => {
    const wrong: string[] = [];
    for (const path of others) {
      const choice = chooseFormat(await makeSourceHead(sourceOfFile(path)));
      const isData = /\.(json|jsonl|ndjson|har|db|sqlite|pcap|gz|zip|png)$/.test(path);
      if (claimedFormat(name(path)) !== null || holdsPlainMessages(name(path))) continue;
      if (choice.importer !== null && (isData || choice.importer.id !== 'plain-text')) {
        wrong.push(`${name(path)}: ${choice.importer.id} ${choice.score}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

/** Ids of calls and results, by JSON.parse over lines and nothing else of ours. */
async function countByHand(
  readers: readonly SourceReader[],
): Promise<{ calls: string[]; results: Set<string> }> {
  const calls: string[] = [];
  const results = new Set<string>();
  const seen = new Set<string>();
  for (const reader of readers) {
    const text = new TextDecoder().decode(await reader.read(0, reader.sizeBytes));
    for (const line of text.split('\n')) {
      const record = parseLoosely(line);
      if (record?.type !== 'assistant' && record?.type !== 'user') continue;
      if (record.uuid !== undefined && seen.has(record.uuid)) continue;
      if (record.uuid !== undefined) seen.add(record.uuid);
      const content = record.message?.content;
      for (const block of Array.isArray(content) ? content : []) {
        if (block?.type === 'tool_use') calls.push(block.id);
        if (block?.type === 'tool_result') results.add(block.tool_use_id);
      }
    }
  }
  return { calls, results };
}

interface LooseRecord {
  type?: string;
  uuid?: string;
  message?: { content?: { type?: string; id: string; tool_use_id: string }[] | string };
}

function parseLoosely(line: string): LooseRecord | null {
  try {
    // The shape is what the corpus holds; a wrong one only makes the counts differ.
    return JSON.parse(line) as LooseRecord | null;
  } catch {
    return null;
  }
}

test('importers are found by id', () => {
  expect(importerById('claude-code-jsonl')?.id).toBe(claudeCodeJsonl.id);
  expect(importerById('__proto__')).toBeNull();
});
