import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importerById } from '../src/index.ts';
import { Children } from '../src/scan-json.ts';
import { renderResult } from './expectation.ts';
import { listFixtures, loadFixture } from './fixtures.ts';
import { expectAccountsAddUp } from './invariants.ts';
import { sourceOfText } from './support.ts';

/** Those that read the entries of a list one by one where the document is too large. */
const ENTRY_BY_ENTRY = new Set([
  'anthropic-messages',
  'chatgpt-export',
  'claude-ai-export',
  'claude-code-stream',
  'har',
  'jaeger-json',
  'langfuse',
  'langsmith',
  'openai-agents',
  'openai-messages',
  'openai-responses',
  'otlp-json',
  'phoenix',
  'zipkin-json',
]);

const fixtures = listFixtures()
  .filter(({ importer }) => ENTRY_BY_ENTRY.has(importer.id))
  .map((fixture) => [fixture.name, fixture] as const);

const isRefused = (issues: readonly { code: string }[]): boolean =>
  issues.some(({ code }) => code === 'DOCUMENT_TOO_LARGE');

const read = new Set<string>();

test.each(fixtures)('%s is the same entry by entry', async (_name, fixture) => {
  const { main, companions } = await loadFixture(fixture);
  const readers = [main, ...companions.map(({ reader }) => reader)];
  const whole = await fixture.importer.read({ main, companions });
  const input = { main, companions, maxDocumentBytes: 1 };
  const entries = await fixture.importer.read(input);
  // Other shapes than one list of entries, and text around it.
  if (isRefused(entries.issues)) return;
  read.add(fixture.importer.id);
  expect(await renderResult(entries, readers)).toEqual(await renderResult(whole, readers));
  expectAccountsAddUp(entries, readers);
});

test('every format that says so is held against a document', () => {
  expect([...read].sort()).toEqual([...ENTRY_BY_ENTRY].sort());
});

async function readConversations(text: string) {
  const main = sourceOfText(text, 'conversations.json');
  const importer = importerById('chatgpt-export');
  if (importer === null) throw new Error('the format is gone');
  return importer.read({ main, companions: [], maxDocumentBytes: 1 });
}

const conversation = (id: string): string =>
  JSON.stringify({
    conversation_id: id,
    title: `About ${id} } ] "`,
    create_time: 1_790_000_000,
    current_node: 'b',
    mapping: {
      a: { id: 'a', parent: null, children: ['b'], message: null },
      b: {
        id: 'b',
        parent: 'a',
        children: [],
        message: {
          id: 'b',
          author: { role: 'user' },
          content: { content_type: 'text', parts: ['Wo ist "der" Brennofen? \\ ]}'] },
        },
      },
    },
  });

describe('a document read entry by entry', () => {
  test('says where each entry stands', async () => {
    const { runs, issues } = await readConversations(
      `[${conversation('x')} ,\n ${conversation('y')}]`,
    );
    expect(issues).toEqual([]);
    expect(runs.map(({ naturalId }) => naturalId)).toEqual(['x', 'y']);
    expect(runs[1]?.steps[0]?.origin.pointer).toBe('/1/mapping/b');
  });

  test('keeps what is whole of one that is cut, and accounts for the rest', async () => {
    const text = `[${conversation('x')}, ${conversation('y')}`.slice(0, -20);
    const { runs, issues, sources } = await readConversations(text);
    expect(runs).toHaveLength(1);
    expect(issues.map(({ code }) => code)).toEqual(['CUT_TAIL']);
    expect(sources[0]?.records.malformed).toBe(1);
    expect(sources[0]?.unused.at(-1)).toMatchObject({
      state: 'malformed',
      reason: 'the document is cut',
    });
  });

  test('accounts for an entry that is no JSON and for text behind the document', async () => {
    const { runs, sources } = await readConversations(`[${conversation('x')}, {"a" 1}]\nand more`);
    expect(runs).toHaveLength(1);
    expect(sources[0]?.unused.filter(({ state }) => state === 'malformed')).toHaveLength(2);
  });

  test('is refused where there is no list to read', async () => {
    const { runs, issues } = await readConversations(conversation('x'));
    expect(runs).toEqual([]);
    expect(issues.map(({ code }) => code)).toEqual(['DOCUMENT_TOO_LARGE']);
  });
});

test('what stands in a list or an object is found as JSON has it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())),
      fc.constantFrom(undefined, 1, '\t'),
      async (value, space) => {
        const text = JSON.stringify(value, null, space);
        const source = sourceOfText(`${text} behind`);
        const children = new Children(source, 0);
        const found: unknown[] = [];
        for await (const { key, offset, end, closed } of children.all()) {
          expect(closed).toBe(true);
          const textAt = async (from: number, to: number) =>
            JSON.parse(new TextDecoder().decode(await source.read(from, to - from)));
          const own = await textAt(offset, end);
          found.push(key === null ? own : [await textAt(key.offset, key.end), own]);
        }
        const plain = JSON.parse(text);
        expect(found).toEqual(Array.isArray(plain) ? plain : Object.entries(plain));
        expect(children.end).toBe(new TextEncoder().encode(text).length);
      },
    ),
  );
});
