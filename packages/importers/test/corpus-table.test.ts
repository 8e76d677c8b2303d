import { relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chooseFormat, makeSourceHead } from '../src/index.ts';
import { expectAccountsAddUp } from './invariants.ts';
import { CORPUS_FOLDER, filesBelow, sourceOfFile } from './support.ts';

/** What the files of each folder are. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  aider: ['aider-history'],
  'anthropic-messages': ['anthropic-messages'],
  atif: ['atif'],
  autogen: ['autogen'],
  chatgpt: ['chatgpt-export'],
  'claude-ai': ['claude-ai-export'],
  'claude-code': ['claude-code-jsonl'],
  'claude-code-stream': ['claude-code-stream'],
  'claude-desktop-log': ['claude-desktop-log'],
  'claude-trace': ['claude-trace'],
  'cline-roo': ['cline-roo'],
  codex: ['codex-rollout'],
  cursor: ['cursor-markdown'],
  'gemini-cli': ['gemini-cli'],
  'har-mcp': ['har'],
  inspect: ['inspect-json'],
  jaeger: ['jaeger-json'],
  langchain: ['vercel-ui-messages'],
  langfuse: ['langfuse'],
  langsmith: ['langsmith'],
  'mcp-proxy': ['mcp-proxy-log'],
  'mcp-rec': ['json-rpc-lines', 'mcp-recorder-cassette'],
  mcporter: ['json-rpc-lines'],
  'mini-swe-agent': ['mini-swe-agent'],
  mitmproxy: ['har'],
  'openai-agents': ['openai-agents'],
  'openai-responses': ['openai-responses'],
  openhands: ['openhands'],
  openllmetry: ['otlp-json'],
  otlp: ['otlp-json'],
  phoenix: ['phoenix'],
  'specstory-md': ['specstory-markdown'],
  'swe-agent': ['swe-agent'],
  'tau-bench': ['tau-bench'],
  'terminal-paste': ['claude-code-terminal'],
  'vercel-ai': ['otlp-json'],
  'vs-copilot-otel': ['otlp-json'],
  'vscode-copilot': ['vscode-copilot'],
  'vscode-mcp-log': ['vscode-mcp-log'],
  zipkin: ['zipkin-json'],
};

interface Exception {
  readonly path: RegExp;
  /** `null` = nobody reads it. */
  readonly formats: readonly (string | null)[];
  readonly reason: string;
}

/** Files that are not what their folder is called. */
const EXCEPTIONS: readonly Exception[] = [
  { path: /\.(md)$/i, formats: ['plain-text'], reason: 'a text about the files' },
  {
    path: /^claude-code\/.*\.terminal\..*txt$|^claude-code\/spotter/,
    formats: ['claude-code-terminal', 'plain-text', 'claude-code-jsonl'],
    reason: 'a copy of the screen beside the session',
  },
  {
    path: /^claude-code\/.*\/cache\/[^/]+\.json$/,
    formats: [null],
    reason: 'the cache of a viewer: sessions regrouped by time, which stand beside it as they were',
  },
  {
    path: /^claude-code\/.*\.meta\.json$/,
    formats: [null],
    reason: 'the type and task of a sub-agent in two fields, which its starting call holds as well',
  },
  {
    path: /^claude-code\/.*\/(journal\.jsonl|workflows\/wf_\w+\.json)$/,
    formats: [null],
    reason: 'the plan and journal of a workflow: which agents ran, without what they did',
  },
  {
    path: /^cline-roo\/clinecli-subagents-vcr\.json$/,
    formats: [null],
    reason: 'HTTP recordings for a test of the client, most of them flags and uploads',
  },
  {
    path: /^cursor\/cass-headers_only\.json$/,
    formats: [null],
    reason: 'rows of a database as a test lays them out; no client writes such a file',
  },
  {
    path: /^gemini-cli\/sdk-[\w-]+\.json$/,
    formats: [null],
    reason: 'answers of the model prepared for a test: there are no requests',
  },
  {
    path: /^langsmith\/anthropic_managed_mcp_tools_reject\.jsonl$/,
    formats: [null],
    reason: 'calls of an SDK as pairs of name and answer, made for a test',
  },
  {
    path: /^specstory-md\/session-data-v1\.json$/,
    formats: [null],
    reason: 'a JSON Schema, no session',
  },
  {
    path: /^tau-bench\/MockAirlineDomainEnv-few_shot\.jsonl$/,
    formats: [null],
    reason: 'examples for a prompt, each one text',
  },
  {
    path: /^openhands\/sdk-/,
    formats: ['openai-messages'],
    reason: 'requests to the API of a model, as the SDK logs them',
  },
];

/** Containers and binary files: whether one is read is held by the test of its format. */
const BINARY = /\.(eval|db|sqlite|vscdb|pcap|pcapng|mitm|pb|binpb)$/;

const files = filesBelow(CORPUS_FOLDER)
  .map((path) => ({ path, name: relative(CORPUS_FOLDER, path) }))
  .filter(({ name }) => name.includes('/') && !BINARY.test(name));
if (files.length === 0)
  console.info(`The corpus is not at ${CORPUS_FOLDER}: its table is skipped.`);

describe.skipIf(files.length === 0)('every file of the corpus', () => {
  test('is what its folder says, or an exception with its reason', async () => {
    const wrong: string[] = [];
    const used = new Set<Exception>();
    for (const { path, name } of files) {
      const main = sourceOfFile(path);
      if (main.sizeBytes === 0) continue;
      const format = chooseFormat(await makeSourceHead(main)).importer?.id ?? null;
      const expected = FOLDERS[name.split('/')[0] ?? ''] ?? [];
      if (format !== null && expected.includes(format)) continue;
      const exception = EXCEPTIONS.find((each) => each.path.test(name));
      if (exception?.formats.includes(format) === true) used.add(exception);
      else wrong.push(`${name}: ${format}, not ${expected.join(' or ') || 'in a known folder'}`);
    }
    expect(wrong).toEqual([]);
    expect(EXCEPTIONS.filter((each) => !used.has(each))).toEqual([]);
  });

  test.each(files.map(({ name, path }) => [name, path] as const))(
    '%s adds up',
    async (_name, path) => {
      const main = sourceOfFile(path);
      const { importer } = chooseFormat(await makeSourceHead(main));
      if (importer === null) return;
      expectAccountsAddUp(await importer.read({ main, companions: [] }), [main]);
    },
    60_000,
  );
});
