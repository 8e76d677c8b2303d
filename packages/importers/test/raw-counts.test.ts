import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { importers } from '../src/index.ts';
import { listFixtures, loadFixture } from './fixtures.ts';
import { stepsOf } from './support.ts';

// Tool calls, and turns of the user, counted from the bytes of a file in the dumbest way: how often a
// pattern occurs in them. Nothing of the importers is used for it. Every format has an entry.

interface RawCount {
  readonly calls: RegExp | null;
  readonly users: RegExp | null;
  /** Calls in parts of the file that are compressed, which a pattern can't see. */
  readonly packedCalls?: number;
  /** The file tells things again: equal matches are one. */
  readonly isDistinct?: true;
}

const MCP: RawCount = { calls: /"method":\s*"tools\/call"/g, users: null };
const MCP_IN_STRINGS: RawCount = { calls: /\\"method\\":\s*\\"tools\/call\\"/g, users: null };
const DISTINCT_SPANS: RawCount = {
  calls: /execute_tool [a-z_]{3,}/g,
  users: null,
  isDistinct: true,
};
const TOOL_USE = /"type":\s*"tool_use"/g;
const FUNCTION = /"type":\s*"function"/g;
const USER_ROLE = /"role":\s*"user"/g;

const COUNTS: Readonly<Record<string, RawCount>> = {
  'frame-log/night-shift.frames': MCP,
  'claude-code-jsonl/refused-and-unanswered.jsonl': { calls: TOOL_USE, users: null },
  'json-rpc-lines/bare.jsonl': MCP,
  'codex-rollout/namespaces.jsonl': { calls: /"type":\s*"function_call"/g, users: null },
  'codex-exec/count-bells.jsonl': {
    calls: /"item.completed".*"type":\s*"(mcp_tool_call|command_execution|web_search)"/g,
    users: null,
  },
  'claude-code-stream/begun.jsonl': { calls: TOOL_USE, users: null },
  'gemini-cli/chat.json': { calls: /"args":/g, users: /"type":\s*"user"/g },
  'gemini-telemetry/telemetry.log': {
    calls: /"function_name":/g,
    users: /"event.name":\s*"gemini_cli.user_prompt"/g,
  },
  'vscode-copilot/chatreplay.json': { calls: /"kind":\s*"toolCall"/g, users: null },
  'claude-desktop-log/mcp-server-stock-room.log': MCP,
  'vscode-mcp-log/stock-room.log': MCP,
  'cline-roo/api_conversation_history.json': { calls: TOOL_USE, users: null },
  'opencode/export.json': { calls: /"type": "tool"/g, users: USER_ROLE },
  'cursor-database/depot.vscdb': { calls: /"toolFormerData":/g, users: null },
  'opencode-database/older.db': { calls: /"type":"tool_call"/g, users: /user\[\{"type":/g },
  'goose/older.jsonl': { calls: /"type":\s*"toolRequest"/g, users: null },
  'zed-threads/threads.db': {
    calls: /"ToolUse":\{"id":"[^"]+"/g,
    users: null,
    isDistinct: true,
    packedCalls: 1,
  },
  'amp-thread/older.json': { calls: TOOL_USE, users: USER_ROLE },
  'continue-session/depot.json': { calls: FUNCTION, users: USER_ROLE },
  'chatgpt-export/conversations.json': {
    calls: /"recipient":\s*"(?!all")/g,
    users: USER_ROLE,
  },
  'claude-ai-export/conversations.json': { calls: TOOL_USE, users: /"sender":\s*"human"/g },
  'cursor-markdown/windows.md': { calls: null, users: /^\*\*User\*\*\r?$/gm },
  'cascade-markdown/crates.md': {
    calls: /^\*(Listed|Viewed|Running|Checked|Read|Updated|User (accepted|rejected)) /gm,
    users: /^### User Input$/gm,
  },
  'specstory-markdown/2026-03-01-bells.md': { calls: /^<tool-use /gm, users: null },
  'aider-history/history.md': { calls: null, users: /(?<!#### .*\n)^#### (?!Step)/gm },
  'claude-code-terminal/in-a-ticket.md': { calls: /^⏺ .*\(MCP\)\(/gm, users: null },
  'codex-terminal/crates.txt': {
    calls: /^• (Called|Calling|Ran|Running|Edited|Searched)/gm,
    users: /^› /gm,
  },
  'plain-text/json-rpc-arrows.log': { calls: /→ .*tools\/call/g, users: null },
  'otlp-json/langfuse-sdk.json': { calls: /"stringValue": "tool"/g, users: null },
  'otlp-protobuf/scattered.pb': DISTINCT_SPANS,
  'otlp-received/torn.spans': DISTINCT_SPANS,
  'jaeger-json/pilot.json': { calls: /"operationName":\s*"execute_tool /g, users: null },
  'zipkin-json/two-traces.json': { calls: /"gen_ai.tool.name":/g, users: null },
  'langfuse/ingestion.jsonl': { calls: /"span-create"/g, users: null },
  'langsmith/kiln.jsonl': { calls: /"run_type":\s*"tool"/g, users: null },
  'phoenix/loom.json': { calls: /"span_kind":\s*"tool"/gi, users: null },
  'openai-agents/ferry.json': { calls: /"span_data":\s*\{\s*"type":\s*"function"/g, users: null },
  'har/orchard.har': MCP_IN_STRINGS,
  'mitmproxy/ferry.mitm': MCP,
  'pcap/harbour.pcap': MCP,
  'claude-trace/figs.jsonl': {
    calls: /"type":\s*"tool_use",\s*"id":\s*"[^"]+"/g,
    users: null,
    isDistinct: true,
  },
  'mcp-recorder-cassette/counter.json': MCP,
  'mcp-vcr/lighthouse.yaml': { calls: /^ *method: tools\/call$/gm, users: null },
  'mcp-proxy-log/python.log': { calls: /method='tools\/call'/g, users: null },
  'openai-messages/streamed.jsonl': {
    calls: /"tool_calls":\s*\[\{"index":\s*0,\s*"id"/g,
    users: null,
  },
  'openai-responses/agents-history.json': {
    calls: /"type":\s*"function_call"/g,
    users: USER_ROLE,
  },
  'anthropic-messages/streamed.jsonl': { calls: TOOL_USE, users: null },
  'langchain/flat.jsonl': { calls: /"type":\s*"tool_call"/g, users: /"type":\s*"human"/g },
  'vercel-ui-messages/ui.json': { calls: /"toolCallId":/g, users: USER_ROLE },
  'inspect-json/sail.json': { calls: null, users: USER_ROLE },
  'swe-agent/calls.traj': { calls: /"tool_calls":/g, users: null },
  'mini-swe-agent/bare.traj.json': { calls: /```(bash|mswea_bash_command)/g, users: null },
  'openhands/organ-events.jsonl': { calls: /"ActionEvent"/g, users: null },
  'smolagents/lines.jsonl': { calls: FUNCTION, users: /"task":/g },
  'tau-bench/seats.json': { calls: FUNCTION, users: USER_ROLE },
  'autogen/task.json': { calls: /"arguments":/g, users: null },
  'atif/positions.json': { calls: /"function_name":/g, users: /"source":\s*"user"/g },
  'who-and-when/generated.json': { calls: /exitcode: /g, users: null },
};

const fixtures = listFixtures();

describe('what the raw bytes hold is what the importer gives', () => {
  test.each(Object.entries(COUNTS))(
    '%s',
    async (name, { calls, users, isDistinct, packedCalls = 0 }) => {
      const fixture = fixtures.find((each) => each.name === name);
      if (fixture === undefined) throw new Error(`no fixture ${name}`);
      const { main, companions } = await loadFixture(fixture);
      const steps = stepsOf(await fixture.importer.read({ main, companions }));
      const raw = readFileSync(fixture.path, 'latin1');
      const utf8 = readFileSync(fixture.path, 'utf8');
      const countIn = (text: string, pattern: RegExp): number => {
        const found = text.match(pattern) ?? [];
        return isDistinct === true ? new Set(found).size : found.length;
      };
      const occur = (pattern: RegExp): number =>
        Math.max(countIn(raw, pattern), countIn(utf8, pattern));
      expect(calls ?? users).not.toBeNull();
      if (calls !== null) {
        expect(occur(calls)).toBeGreaterThan(0);
        // A call that starts an agent is one as well.
        const called = steps.filter(
          ({ kind, tool }) => kind === 'tool' || (kind === 'agent' && tool !== null),
        );
        expect(called.length).toBe(occur(calls) + packedCalls);
      }
      if (users !== null) {
        expect(occur(users)).toBeGreaterThan(0);
        expect(steps.filter(({ kind }) => kind === 'user').length).toBe(occur(users));
      }
    },
  );
});

test('every format has such a count', () => {
  const counted = new Set(Object.keys(COUNTS).map((name) => name.slice(0, name.indexOf('/'))));
  expect(importers.map(({ id }) => id).filter((id) => !counted.has(id))).toEqual([]);
});
