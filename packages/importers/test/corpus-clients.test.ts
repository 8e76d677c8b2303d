import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  chooseFormat,
  type ImportResult,
  importerById,
  makeSourceHead,
  type SourceReader,
} from '../src/index.ts';
import { expectAccountsAddUp, expectSchemas, expectValuesReread } from './invariants.ts';
import { CORPUS_FOLDER, filesBelow, sourceOfFile, stepsOf } from './support.ts';

/** Real files of agents and chat clients, each counted a second time in the dumbest way. */

interface Counts {
  readonly tools: number;
  readonly users: number;
}

type Count = (text: string) => Counts;

const matches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Values under a key, anywhere in the JSON, that a test says yes to. */
function findAll(json: unknown, wanted: (object: Record<string, unknown>) => boolean): number {
  if (typeof json !== 'object' || json === null) return 0;
  const own = !Array.isArray(json) && wanted({ ...json }) ? 1 : 0;
  return Object.values(json).reduce<number>((sum, each) => sum + findAll(each, wanted), own);
}

const inLines = (text: string, wanted: (object: Record<string, unknown>) => boolean): number =>
  text.split('\n').reduce((sum, line) => {
    try {
      return sum + findAll(JSON.parse(line), wanted);
    } catch {
      return sum;
    }
  }, 0);

const CODEX: Count = (text) => ({
  tools: inLines(text, ({ type }) =>
    /^(function|custom_tool|local_shell)_call$/.test(String(type)),
  ),
  users: new Set(
    text.split('\n').flatMap((line) => {
      const own = /"user_message","message":("(?:[^"\\]|\\.)*")/.exec(line)?.[1];
      const item = /"role":"user"/.test(line) && /"text":("(?:[^"\\]|\\.)*")/.exec(line)?.[1];
      const found = own ?? (item || null);
      return found === null || /"(?:<|# AGENTS)/.test(found) ? [] : [found];
    }),
  ).size,
});

const FOLDERS: readonly { folder: string; format: string; files: RegExp; count: Count }[] = [
  { folder: 'codex', format: 'codex-rollout', files: /\.jsonl$/, count: CODEX },
  {
    folder: 'claude-code-stream',
    format: 'claude-code-stream',
    files: /\.json$/,
    count: (text) => ({ tools: matches(text, /"type": "tool_use"/g), users: 0 }),
  },
  {
    folder: 'gemini-cli',
    format: 'gemini-cli',
    files: /(?:agentsview|pomodoro).*\.json$/,
    count: (text) => ({
      tools: findAll(
        JSON.parse(text),
        ({ name, args }) => name !== undefined && args !== undefined,
      ),
      users: matches(text, /"type": "user"/g),
    }),
  },
  {
    folder: 'vscode-copilot',
    format: 'vscode-copilot',
    files: /\.json$/,
    count: (text) => ({
      tools: findAll(
        JSON.parse(text),
        ({ kind, toolId }) =>
          kind === 'toolInvocationSerialized' && !String(toolId).endsWith('_internal'),
      ),
      users: matches(text, /"requestId":/g),
    }),
  },
  {
    folder: 'claude-desktop-log',
    format: 'claude-desktop-log',
    files: /./,
    count: (text) => ({ tools: matches(text, /"method":"tools\/call"/g), users: 0 }),
  },
  {
    folder: 'vscode-mcp-log',
    format: 'vscode-mcp-log',
    files: /./,
    count: (text) => ({ tools: matches(text, /"method":"tools\/call"/g), users: 0 }),
  },
  {
    folder: 'cline-roo',
    format: 'cline-roo',
    files: /history|compaction\.json$/,
    count: (text) => ({
      tools: matches(text, /"type":\s*"tool_use"/g),
      // A turn that is nothing but a result is none, and a summary is no turn.
      users:
        matches(text, /"role":\s*"user"/g) -
        matches(text, /"kind": "compaction"/g) -
        matches(text, /"text":"\[\w+ for /g),
    }),
  },
  {
    folder: 'chatgpt',
    format: 'chatgpt-export',
    files: /(?:simple|conversation-v1)\.json$/,
    count: (text) => ({
      tools: findAll(
        JSON.parse(text),
        ({ recipient, author }) =>
          author !== undefined && typeof recipient === 'string' && recipient !== 'all',
      ),
      users: matches(text, /"role": ?"user"/g),
    }),
  },
  {
    folder: 'claude-ai',
    format: 'claude-ai-export',
    files: /\.json$/,
    count: (text) => ({
      tools: matches(text, /"type": "tool_use"/g),
      users: matches(text, /"sender": "human"/g),
    }),
  },
  {
    folder: 'cursor',
    format: 'cursor-markdown',
    files: /\.md$/,
    count: (text) => ({ tools: 0, users: matches(text, /^\*\*User\*\*$/gm) }),
  },
  {
    folder: 'specstory-md',
    format: 'specstory-markdown',
    files: /\.md$/,
    count: (text) => ({
      tools: matches(text, /^<tool-use .*><details>$/gm),
      users: matches(text, /^_\*\*User \(.*\)\*\*_$/gm),
    }),
  },
  {
    folder: 'opencode',
    format: 'opencode-database',
    files: /\.db$/,
    // A row's columns stand behind each other, the role in front of the parts.
    count: (text) => ({
      tools: matches(text, /"type":"tool_call"/g),
      users: matches(text, /user\[\{"type":/g),
    }),
  },
  {
    folder: 'aider',
    format: 'aider-history',
    files: /\.md$/,
    count: (text) => ({ tools: 0, users: matches(text, /(?<=^#.*\n\n)#### /gm) }),
  },
];

const cases = FOLDERS.flatMap(({ folder, format, files, count }) =>
  filesBelow(join(CORPUS_FOLDER, folder))
    .filter((path) => files.test(path))
    .map(
      (path) =>
        [`${format}: ${path.slice(CORPUS_FOLDER.length + 1)}`, path, format, count] as const,
    ),
);
const skip = cases.length === 0;
if (skip) console.info(`The corpus is not at ${CORPUS_FOLDER}: its tests are skipped.`);

describe.skipIf(skip)('real files of clients', () => {
  test.each(cases)('%s', async (_name, path, format, count) => {
    const main = sourceOfFile(path);
    expect(chooseFormat(await makeSourceHead(main)).importer?.id).toBe(format);
    const result = await readWith(format, main);
    expectAccountsAddUp(result, [main]);
    expect(result.sources[0]?.records.total).toBeGreaterThan(0);
    const text = new TextDecoder().decode(await main.read(0, main.sizeBytes));
    const steps = stepsOf(result);
    const told: Counts = {
      tools: steps.filter(({ kind }) => kind === 'tool' || kind === 'agent').length,
      users: steps.filter(({ kind }) => kind === 'user').length,
    };
    expect(told).toEqual(count(text));
    if (main.sizeBytes > 800_000) return;
    expectSchemas(result);
    await expectValuesReread(result, [main]);
  });
});

async function readWith(format: string, main: SourceReader): Promise<ImportResult> {
  const importer = importerById(format);
  if (importer === null) throw new Error(`no importer ${format}`);
  return importer.read({ main, companions: [] });
}
