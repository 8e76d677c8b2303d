import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chooseFormat, importerById, makeSourceHead } from '../src/index.ts';
import { claimedFormat } from './corpus-claims.ts';
import { expectAccountsAddUp, expectSchemas, expectValuesReread } from './invariants.ts';
import { CORPUS_FOLDER, filesBelow, sourceOfFile, stepsOf } from './support.ts';

const files = filesBelow(CORPUS_FOLDER).map((path) => relative(CORPUS_FOLDER, path));
const claimed = files.filter((file) => claimedFormat(file) !== null);
if (files.length === 0) console.info(`No corpus at ${CORPUS_FOLDER}: its tests are skipped.`);

describe.skipIf(files.length === 0)('real traces, messages and recordings', () => {
  test.each(claimed)('%s', async (file) => {
    const main = sourceOfFile(join(CORPUS_FOLDER, file));
    const { importer } = chooseFormat(await makeSourceHead(main));
    expect(importer?.id).toBe(claimedFormat(file));
    if (importer === null) return;
    const result = await importer.read({ main, companions: [] });
    expectAccountsAddUp(result, [main]);
    expectSchemas(result);
    if (main.sizeBytes < 400_000) await expectValuesReread(result, [main]);
  });
});

/** How often a pattern stands in the raw file: no reading of JSON, nothing of ours. */
function occurrences(file: string, pattern: RegExp): number {
  return readFileSync(join(CORPUS_FOLDER, file), 'utf8').match(pattern)?.length ?? 0;
}

async function toolSteps(file: string): Promise<number> {
  const importer = importerById(claimedFormat(file) ?? '');
  const main = sourceOfFile(join(CORPUS_FOLDER, file));
  const result = await importer?.read({ main, companions: [] });
  return result === undefined ? -1 : stepsOf(result).filter(({ kind }) => kind === 'tool').length;
}

/** Tool calls counted from the raw text by one pattern for each file. */
const TOOL_CALLS: readonly (readonly [file: string, pattern: RegExp])[] = [
  ['openllmetry/traceloop-js-decorators.otlp.generated.json', /"stringValue":"tool"/g],
  ['otlp/ai-sdk-legacy-ai-attrs.otlp.generated.json', /"name":"ai\.toolCall"/g],
  ['vs-copilot-otel/sample-1_VSGitHubCopilot_traces.jsonl', /"name":"execute_tool /g],
  ['vs-copilot-otel/sample-2_VSGitHubCopilot_traces.jsonl', /"name":"execute_tool /g],
  ['vs-copilot-otel/sample-4_VSGitHubCopilot_traces.jsonl', /"name":"execute_tool /g],
  ['jaeger/genaiTestTrace.json', /"operationName": ?"execute_tool /g],
  ['langfuse/microsoft-agent-2025-12-17.trace.json', /gen_ai\.tool\.call\.id/g],
  ['langfuse/agno-2025-06-11.trace.json', /openinference\.span\.kind\\*": ?\\*"TOOL/g],
  ['langsmith/langsmith-js-batch-runs.generated.jsonl', /"run_type":"tool"/g],
  ['phoenix/pxi_turn_subagent_trace.json', /"span_kind": ?"TOOL"/g],
  ['phoenix/pxi_suggestion_traces.json', /"span_kind": ?"TOOL"/g],
  ['openai-agents/agents-js-export.generated.json', /"type": ?"function"/g],
  ['pcap/everything-streamable-http.pcap', /"method":"tools\/call"/g],
  ['mcp-rec/mcp-recorder-cassette-mock_session.json', /"method": ?"tools\/call"/g],
  ['langchain/vercel-uistream-react-agent-tool-calling.json', /"type": ?"tool-input-start"/g],
  ['tau-bench/gpt-4o-airline.json', /"type": ?"function"/g],
  ['mini-swe-agent/github_issue.traj.json', /"role": ?"assistant"/g],
  ['atif/harbor_terminus2_summarization.json', /"tool_call_id": ?"/g],
  ['atif/parallel_tools_mixed_results.json', /"tool_call_id": ?"/g],
  ['inspect/2025-05-12T20-27-36-04-00_browser.json', /"event": ?"tool"/g],
  [
    'openhands/resolver_mock_output.jsonl',
    /"action": ?"(run|run_ipython|edit|read|write|browse)"/g,
  ],
  ['openai-responses/vercel-openai-mcp-tool.1.json', /"type": ?"mcp_call"/g],
  ['openai-responses/vercel-openai-mcp-tool-approval.4.json', /"type": ?"mcp_call"/g],
  [
    'anthropic-messages/vercel-anthropic-programmatic-tool-calling.1.json',
    /"type": ?"(server_)?tool_use"/g,
  ],
  [
    'anthropic-messages/vercel-anthropic-code-execution-20250825.2.json',
    /"type": ?"server_tool_use"/g,
  ],
  ['anthropic-messages/vercel-anthropic-web-search-tool.1.json', /"type": ?"server_tool_use"/g],
  ['openhands/sdk-fncall-llm-message.json', /"type": ?"function"/g],
];

describe.skipIf(files.length === 0)('tool calls are those of the raw text', () => {
  test.each(TOOL_CALLS)('%s', async (file, pattern) => {
    const told = occurrences(file, pattern);
    expect(told).toBeGreaterThan(0);
    expect(await toolSteps(file)).toBe(told);
  });
});

test.skipIf(files.length === 0)(
  'every request of a claude-trace log is one model call',
  async () => {
    const main = sourceOfFile(join(CORPUS_FOLDER, 'claude-trace/test-traffic.redacted.jsonl'));
    const result = await importerById('claude-trace')?.read({ main, companions: [] });
    const models =
      result === undefined ? [] : stepsOf(result).filter(({ kind }) => kind === 'model');
    expect(models.length).toBe(
      occurrences('claude-trace/test-traffic.redacted.jsonl', /^\{"request": ?\{/gm),
    );
    const ids = models.map(({ callId }) => callId);
    expect(new Set(ids).size).toBe(ids.length);
  },
);

const LABELLED = join(CORPUS_FOLDER, '../labelled/who-and-when');
const labelled = filesBelow(LABELLED).filter((path) => path.endsWith('.json'));

interface LooseLog {
  history: { role: string; name?: string }[];
  mistake_agent: string;
  mistake_step: string;
}

test.skipIf(labelled.length === 0)('labels of Who&When lead to the entries they name', async () => {
  for (const path of labelled) {
    const main = sourceOfFile(path);
    const { importer } = chooseFormat(await makeSourceHead(main));
    expect([path, importer?.id]).toEqual([path, 'who-and-when']);
    const result = await importer?.read({ main, companions: [] });
    const steps = result === undefined ? [] : stepsOf(result);
    // The shape is that of the data set; a wrong one only makes the names differ.
    const log = JSON.parse(readFileSync(path, 'utf8')) as LooseLog;
    const entry = log.history[Number(log.mistake_step)];
    const [label, ...others] = result?.runs[0]?.externalMarks ?? [];
    expect([path, label?.agent, others]).toEqual([path, log.mistake_agent, []]);
    const step = steps.find(({ id }) => id === label?.stepId);
    expect([path, step?.seq]).toEqual([path, Number(log.mistake_step) + 1]);
    const speaker = entry?.name ?? entry?.role ?? '';
    expect([path, step?.name]).toEqual([path, speaker === 'human' ? 'User turn' : speaker]);
    expect(steps.length).toBe(log.history.length);
  }
});
