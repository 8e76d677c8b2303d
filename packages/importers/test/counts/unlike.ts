import { distinct, objects, times, word } from './count.ts';
import type { Counts } from './formats.ts';

const ANOTHER_FORM = 'written in another form of the format, in which a pattern says nothing';
const FREE = 'written by hand, each call in words of its own';
const DAMAGED = 'damaged or cut on purpose: a pattern counts what can no longer be read';
const AGAIN = 'tells the same things again';
const BRANCHES = 'holds branches that the conversation left';
const BESIDE = 'part of it stands in files beside it';
const ASIDE = 'holds records that are no part of the run';
const NO_RECORD = 'a call of a model has no record of its own there';

/**
 * Files that hold other numbers than the pattern of their format finds: why, or another pattern for
 * just this file; `format/name` is a fixture, `format: name` a file of others. `calls`, `users` and `models` that aren't named are counted as everywhere.
 */
export const UNLIKE: Readonly<
  Record<string, { readonly [what in keyof Counts]: Counts[what] | string }>
> = {
  'frame-log/damaged.frames': { calls: DAMAGED },
  'claude-code-jsonl/agents.jsonl': { calls: BESIDE },
  'json-rpc-lines/arrow-envelope.jsonl': { calls: ANOTHER_FORM },
  'codex-rollout/protocol.jsonl': { calls: ANOTHER_FORM },
  'codex-rollout/stock.jsonl': { calls: 'one of its calls is told by events alone' },
  'codex-exec/broken-off.jsonl': { calls: 'its last calls never came to an end' },
  'claude-code-stream/action-log.json': { models: ANOTHER_FORM },
  'claude-code-stream/stream.jsonl': { models: ANOTHER_FORM },
  'gemini-cli/answers.jsonl': { users: AGAIN, models: AGAIN },
  'gemini-cli/checkpoint-forks.json': { users: ANOTHER_FORM, models: ANOTHER_FORM },
  'gemini-cli/log.jsonl': { users: BRANCHES, models: BRANCHES },
  'vscode-copilot/chatreplay.json': { users: ANOTHER_FORM },
  'vscode-copilot/kept.json': { calls: 'one of its calls the chat never showed' },
  'vscode-copilot/session-log.jsonl': { calls: AGAIN },
  'claude-desktop-log/tailed-both.txt': { calls: AGAIN },
  'cline-roo/1795424400000/ui_messages.json': { calls: ANOTHER_FORM, models: ANOTHER_FORM },
  'cline-roo/ui_messages.json': { calls: ANOTHER_FORM, models: ANOTHER_FORM },
  'cline-roo/api_conversation_history.json': { calls: 'one of its calls is a tag in a text' },
  'opencode/export.json': { models: ASIDE },
  'opencode/session.md': { calls: ANOTHER_FORM, users: ANOTHER_FORM, models: ANOTHER_FORM },
  'cursor-database/worn.vscdb': { calls: DAMAGED },
  'opencode-database/depot.db': { calls: AGAIN, users: ANOTHER_FORM },
  'goose/sessions.db': { calls: ASIDE, models: ANOTHER_FORM },
  // One of its threads is compressed, with one call in it.
  'zed-threads/threads.db': {
    calls: (text) => distinct(/"ToolUse":\{"id":"([^"]+)"/g)(text) + 1,
  },
  'zed-threads/utf16.db': { calls: ANOTHER_FORM },
  'amp-thread/depot.json': { models: ASIDE },
  'chatgpt-export/conversations.json': { models: BRANCHES },
  'cursor-markdown/bells.md': { users: 'shows the head of a turn in a block' },
  'cascade-markdown/windows.md': { calls: ANOTHER_FORM },
  'specstory-markdown/2026-03-01-bells.md': {
    users: 'shows the head of a turn in a block',
    models: NO_RECORD,
  },
  'specstory-markdown/blocks.md': { calls: ANOTHER_FORM, models: NO_RECORD },
  'codex-terminal/older.md': { calls: ANOTHER_FORM, users: ANOTHER_FORM },
  'otlp-json/console.json': { calls: ANOTHER_FORM },
  'otlp-json/content-off.json': { calls: 'one of its calls has no span' },
  'otlp-json/dialects.json': { calls: ANOTHER_FORM, models: ANOTHER_FORM },
  'otlp-json/langfuse-sdk.json': {
    calls: times(/"stringValue": "tool"/g),
    models: times(/"stringValue": "generation"/g),
  },
  'otlp-json/logged.jsonl': { models: 'one of its calls is told by log records alone' },
  'otlp-json/scattered.jsonl': { calls: ANOTHER_FORM, models: ANOTHER_FORM },
  'otlp-json/stated-errors.json': { calls: ANOTHER_FORM },
  'otlp-json/tide-agent.json': { calls: 'one of its calls has no span' },
  'otlp-protobuf/collector-cut.pb': { calls: DAMAGED },
  'otlp-protobuf/logs-alone.pb': { calls: ANOTHER_FORM },
  'otlp-protobuf/tide-agent.pb': { calls: 'one of its calls has no span' },
  'jaeger-json/bare-trace.json': { calls: ANOTHER_FORM },
  'zipkin-json/berths.json': { calls: 'one of its calls is told by both of its ends' },
  'langfuse/ingestion.jsonl': {
    calls: times(/"span-create"/g),
    models: times(/"generation-create"/g),
  },
  'langfuse/observations.jsonl': { calls: ANOTHER_FORM },
  'langfuse/pottery.json': { calls: ANOTHER_FORM },
  'langsmith/blocks-and-list.json': { calls: 'one of its calls was not traced' },
  'phoenix/durations.json': { calls: ANOTHER_FORM },
  'phoenix/tree.json': { calls: ANOTHER_FORM },
  'openai-agents/turns.json': { models: NO_RECORD },
  'http-text/curl-verbose.txt': {
    calls: 'curl -v prints no body that it sends, so only the answer tells of the call',
  },
  'har/pears.har': { calls: ANOTHER_FORM },
  'mitmproxy/ferry-cut.mitm': { calls: DAMAGED },
  'pcap/quay-cut.pcapng': { calls: DAMAGED },
  'claude-trace/cut.jsonl': { calls: DAMAGED, models: DAMAGED },
  'claude-trace/figs.jsonl': { models: ASIDE },
  'autogen/event-log.jsonl': { calls: AGAIN, users: ANOTHER_FORM, models: ANOTHER_FORM },
  'autogen/events.jsonl': { users: ANOTHER_FORM, models: ANOTHER_FORM },
  'autogen/session.json': { calls: AGAIN, users: ANOTHER_FORM, models: times(/"response":/g) },
  'autogen/thoughts.jsonl': { models: 'one of its answers broke off' },
  'atif/kite.json': { models: AGAIN },
  'inspect-json/sail.json': {
    calls: ANOTHER_FORM,
    users: times(/"role":\s*"user"/g),
    models: ANOTHER_FORM,
  },
  'inspect-json/sample.json': { models: ANOTHER_FORM },
  'mini-swe-agent/bare.traj.json': { calls: times(/```(bash|mswea_bash_command)/g) },
  'openhands/bell.json': { calls: ANOTHER_FORM },
  'swe-agent/actions.traj': { calls: ANOTHER_FORM, models: ANOTHER_FORM },
  'swe-agent/attempts.traj': { calls: AGAIN, models: AGAIN },
  'swe-agent/calls.traj': { calls: times(/"tool_calls":/g), models: ANOTHER_FORM },
  'swe-agent/named.traj': { calls: ANOTHER_FORM, models: ANOTHER_FORM },
  'swe-agent/steps.traj': { calls: 'one of its steps calls nothing' },
  'tau-bench/requestors.json': { calls: 'names calls that should have been made' },
  'tau-bench/voice.json': { models: 'what is said without a pause is one step' },
  'langchain/constructor.json': { users: ANOTHER_FORM, models: ANOTHER_FORM },
  'vercel-ui-messages/stream.jsonl': { models: ANOTHER_FORM },
  'openai-messages/greenhouse.json': { calls: ANOTHER_FORM },
  'openai-messages/hive-requests.jsonl': { calls: AGAIN, users: AGAIN, models: AGAIN },
  'openai-responses/ring.json': { calls: ANOTHER_FORM },
  'anthropic-messages/vans.jsonl': { calls: AGAIN, users: AGAIN, models: AGAIN },
  'plain-text/brackets-and-cuts.txt': { calls: FREE },
  'plain-text/changed-quotes.txt': { calls: FREE },
  'plain-text/many-hands.txt': { calls: FREE },
  'plain-text/markdown-ticket.md': { calls: FREE },
  'plain-text/midnight-parallel.txt': { calls: FREE },
  'plain-text/mixed-clock.txt': { calls: FREE },
  'plain-text/named-results.txt': { calls: FREE },
  'plain-text/odd-heads.txt': { calls: FREE },
  'plain-text/quoted-mail.txt': { calls: FREE },
  'plain-text/stamped-two-calls.txt': { calls: FREE },
  'plain-text/thought-action.txt': { calls: FREE },
  'plain-text/wrapped-and-cut.txt': { calls: FREE },
  // Files that others wrote.
  'autogen: session.json': {
    users: 'each request holds the messages before it again',
    models: times(/"response":/g),
  },
  'atif: harbor_terminus2_continuation_cont1.json': { users: AGAIN, models: AGAIN },
  'atif: v17_embedded_subagents.json': { users: ASIDE, models: ASIDE },
  'autogen: history-wile_e_coyote_1.json': {
    users: ANOTHER_FORM,
    models: ANOTHER_FORM,
  },
  'chatgpt-export: polylogue-native-browser-capture-v1.json': { models: BRANCHES },
  'chatgpt-export: polylogue-native-conversation-v1.json': { models: BRANCHES },
  'chatgpt-export: polylogue-sample-00.json': { calls: BRANCHES, models: BRANCHES },
  'chatgpt-export: polylogue-sample-01.json': { calls: BRANCHES, users: BRANCHES },
  'inspect-json: log_tool_call_error.json': { calls: times(/"role": ?"tool"/g) },
  'vercel-ui-messages: vercel-uistream-langgraph-hitl-request-1.json': { models: ANOTHER_FORM },
  'vercel-ui-messages: vercel-uistream-react-agent-tool-calling.json': { models: ANOTHER_FORM },
  'langfuse: agno-2025-06-11.trace.json': {
    calls: times(/openinference\.span\.kind\\*": ?\\*"TOOL/g),
    models: 'two tracers told each call of the model',
  },
  'langfuse: beeai-2025-08-01.trace.json': { calls: ANOTHER_FORM },
  'langfuse: langgraph-js-2025-10-30.trace.json': { calls: ANOTHER_FORM },
  'langfuse: pydantic-ai-tools-2025-12-04.trace.json': { calls: 'one of its calls has no span' },
  'openai-agents: agents-js-export.generated.json': { models: NO_RECORD },
  'otlp-json: traceloop-js-decorators.otlp.generated.json': {
    calls: times(/"stringValue":"tool"/g),
  },
  'otlp-json: ai-sdk-legacy-ai-attrs.otlp.generated.json': {
    calls: times(/"name":"ai\.toolCall"/g),
    models: distinct(/"spanId":"([^"]*)"[^{}]*"name":"ai\.(?:generate|stream)\w+\.do\w+"/g),
  },
  'specstory-markdown: 2026-05-20_09-00-00Z-list-the-workspace.md': { models: NO_RECORD },
  'swe-agent: function_calling_simple.traj': {
    calls: ANOTHER_FORM,
    models: objects((each) => word(each, 'role') === 'assistant'),
  },
  'tau-bench: tau2-sim-cd9c5ed2.json': {
    users: 'what is said without a pause is one step',
    models: 'what is said without a pause is one step',
  },
  'otlp-json: all-spans.json': { models: ANOTHER_FORM },
  'otlp-json: spans-by-operation.json': { models: ANOTHER_FORM },
};
