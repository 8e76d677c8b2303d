import { type Count, distinct, inner, list, objects, times, word } from './count.ts';

export interface Counts {
  /** Calls of tools. */
  readonly calls?: Count;
  /** Turns of the user. */
  readonly users?: Count;
  /** Calls of a model. */
  readonly models?: Count;
}

const typed = (...types: string[]): Count => objects((each) => types.includes(word(each, 'type')));
const said = (role: string): Count =>
  objects((each) => word(each, 'role') === role && 'content' in each);
const TOOL_USE = typed('tool_use', 'server_tool_use', 'mcp_tool_use');
const MCP = times(/"method":\s*"tools\/call"/g);
const SPANS_OF_TOOLS: Counts = { calls: distinct(/execute_tool [a-z_]{3,}/g) };

/** What a file of each format holds, as its format mostly writes it. */
export const COUNTS: Readonly<Record<string, Counts>> = {
  'aider-history': { users: times(/(?<!#### .*\n)^#### (?!Step)/gm) },
  'amp-thread': {
    calls: TOOL_USE,
    users: objects(
      (each) =>
        word(each, 'role') === 'user' &&
        list(each, 'content').some((block) => word(block, 'type') === 'text'),
    ),
    models: objects((each) => word(each, 'role') === 'assistant'),
  },
  'anthropic-messages': {
    calls: TOOL_USE,
    users: objects(
      (each) =>
        word(each, 'role') === 'user' &&
        (word(each, 'content') !== '' ||
          list(each, 'content').some((block) => word(block, 'type') !== 'tool_result')),
    ),
    models: said('assistant'),
  },
  atif: {
    calls: objects((each) => 'function_name' in each && 'arguments' in each),
    users: objects((each) => word(each, 'source') === 'user' && 'step_id' in each),
    models: objects((each) => word(each, 'source') === 'agent' && 'step_id' in each),
  },
  autogen: {
    calls: objects((each) => 'arguments' in each && ('name' in each || 'tool_name' in each)),
    users: objects(
      (each) => word(each, 'source') === 'user' && word(each, 'type').endsWith('Message'),
    ),
    models: objects(
      (each) =>
        word(each, 'source') !== 'user' &&
        /^(TextMessage|ToolCallRequestEvent|CodeGenerationEvent)$/.test(word(each, 'type')),
    ),
  },
  'cascade-markdown': {
    calls: times(/^\*(Listed|Viewed|Running|Checked|Read|Updated|User (accepted|rejected)) /gm),
    users: times(/^### User Input\r?$/gm),
    models: times(/^### Planner Response\r?$/gm),
  },
  'chatgpt-export': {
    calls: objects(
      (each) => 'author' in each && word(each, 'recipient') !== '' && each.recipient !== 'all',
    ),
    users: objects((each) => word(inner(each, 'author'), 'role') === 'user'),
    models: objects((each) => word(inner(each, 'author'), 'role') === 'assistant'),
  },
  'claude-ai-export': {
    calls: typed('tool_use'),
    users: objects((each) => word(each, 'sender') === 'human'),
  },
  'claude-code-jsonl': {
    calls: objects(
      (each) => word(each, 'type') === 'tool_use' && 'input' in each,
      (each) => each.id,
    ),
  },
  'claude-code-stream': {
    calls: typed('tool_use'),
    models: objects(
      (each) => word(each, 'type') === 'message' && word(each, 'role') === 'assistant',
      (each) => each.id,
    ),
  },
  'claude-code-terminal': {
    calls: times(
      /^[⏺●] (?:.+ \(MCP\)|(?:Bash|Search|Fetch|Explore|Web Search|Plan|Write|Read|Update|Task)\()/gm,
    ),
  },
  'claude-desktop-log': { calls: MCP },
  'claude-trace': {
    calls: distinct(/"type":\s*"tool_use",\s*"id":\s*"([^"]+)"/g),
    models: times(/^\{"request": ?\{/gm),
  },
  'cline-roo': {
    calls: typed('tool_use'),
    models: objects((each) => word(each, 'role') === 'assistant'),
  },
  'codex-exec': {
    calls: times(/"item.completed".*"type":\s*"(mcp_tool_call|command_execution|web_search)"/g),
    models: typed('agent_message'),
  },
  'codex-rollout': {
    calls: objects((each) =>
      /^(function|custom_tool|local_shell|web_search)_call$/.test(word(each, 'type')),
    ),
  },
  'codex-terminal': {
    calls: times(/^• (Called|Calling|Ran|Running|Edited|Searched)/gm),
    users: times(/^› /gm),
  },
  'continue-session': {
    calls: objects(
      (each) => word(each, 'type') === 'function' && 'function' in each && 'id' in each,
      (each) => each.id,
    ),
    users: objects((each) => word(each, 'role') === 'user'),
    models: objects((each) => word(each, 'role') === 'assistant'),
  },
  'cursor-database': { calls: times(/"toolFormerData":/g) },
  'cursor-markdown': {
    users: times(/^\*\*User\*\*\r?$/gm),
    models: times(/^\*\*Cursor\*\*\r?$/gm),
  },
  'frame-log': { calls: MCP },
  'gemini-cli': {
    calls: objects((each) => 'args' in each && 'name' in each),
    users: typed('user'),
    models: typed('gemini'),
  },
  'gemini-telemetry': {
    calls: times(/"function_name":/g),
    users: times(/"event.name":\s*"gemini_cli.user_prompt"/g),
    models: times(/"event.name":\s*"gemini_cli.api_(response|error)"/g),
  },
  goose: {
    calls: times(/"type":\s*"toolRequest"/g),
    models: objects((each) => word(each, 'role') === 'assistant'),
  },
  har: { calls: times(/\\"method\\":\s*\\"tools\/call\\"/g) },
  'http-text': { calls: times(/\\?"method\\?":\s*\\?"tools\/call/g) },
  'inspect-json': {
    calls: objects((each) => word(each, 'event') === 'tool'),
    models: objects((each) => word(each, 'event') === 'model'),
  },
  'jaeger-json': {
    calls: times(/"operationName":\s*"execute_tool /g),
    models: times(/"operationName":\s*"(chat|generate_content) /g),
  },
  'json-rpc-lines': { calls: MCP },
  langchain: { calls: typed('tool_call'), users: typed('human'), models: typed('ai') },
  langfuse: {
    calls: objects(
      (each) => word(each, 'type') === 'TOOL',
      (each) => each.id,
    ),
    models: objects(
      (each) => word(each, 'type') === 'GENERATION',
      (each) => each.id,
    ),
  },
  langsmith: {
    calls: objects(
      (each) => word(each, 'run_type') === 'tool',
      (each) => each.id,
    ),
    models: objects(
      (each) => word(each, 'run_type') === 'llm',
      (each) => each.id,
    ),
  },
  'mcp-proxy-log': { calls: times(/method='tools\/call'|method: ['"]tools\/call/g) },
  'mcp-recorder-cassette': { calls: MCP },
  'mcp-vcr': { calls: times(/^ *method: tools\/call$/gm) },
  'mini-swe-agent': {
    calls: objects((each) => word(each, 'role') === 'assistant' && !('finish_reason' in each)),
    models: objects((each) => word(each, 'role') === 'assistant' && !('finish_reason' in each)),
  },
  mitmproxy: { calls: MCP },
  'openai-agents': {
    calls: objects((each) => word(inner(each, 'span_data'), 'type') === 'function'),
    models: objects((each) =>
      /^(generation|response)$/.test(word(inner(each, 'span_data'), 'type')),
    ),
  },
  'openai-messages': {
    calls: objects((each) => 'id' in each && 'arguments' in inner(each, 'function')),
    users: said('user'),
    models: said('assistant'),
  },
  'openai-responses': {
    calls: objects(
      (each) => /_call$/.test(word(each, 'type')),
      (each) => each.id ?? each.call_id,
    ),
    users: objects((each) => word(each, 'role') === 'user'),
  },
  opencode: {
    calls: times(/"type": "tool"/g),
    users: times(/"role":\s*"user"/g),
    models: times(/"role":\s*"assistant"/g),
  },
  'opencode-database': {
    calls: times(/"type":"tool(_call)?"/g),
    users: times(/user\[\{"type":/g),
  },
  openhands: {
    calls: objects(
      (each) =>
        word(each, 'kind') === 'ActionEvent' ||
        /^(run|run_ipython|edit|read|write|browse|think)$/.test(word(each, 'action')),
    ),
  },
  'otlp-json': {
    calls: distinct(/"spanId": ?"([^"]*)"[^{}]*"name": ?"execute_tool /g),
    models: distinct(/"spanId": ?"([^"]*)"[^{}]*"name": ?"chat /g),
  },
  'otlp-protobuf': SPANS_OF_TOOLS,
  'otlp-received': SPANS_OF_TOOLS,
  pcap: { calls: MCP },
  phoenix: {
    calls: times(/"span_kind":\s*"tool"/gi),
    models: times(/"span_kind":\s*"llm"/gi),
  },
  'plain-text': { calls: times(/→ .*tools\/call/g) },
  smolagents: {
    calls: typed('function'),
    users: objects((each) => 'task' in each),
    models: objects((each) => 'model_output' in each || 'plan' in each),
  },
  'specstory-markdown': {
    calls: times(/^<tool-use /gm),
    users: times(/^_\*\*User/gm),
    models: times(/^_\*\*(Agent|Assistant)/gm),
  },
  'swe-agent': {
    calls: objects((each) => 'observation' in each && 'thought' in each),
    models: objects((each) => 'observation' in each && 'thought' in each),
  },
  'tau-bench': {
    calls: objects((each) => 'name' in each && 'arguments' in each),
    users: said('user'),
    models: said('assistant'),
  },
  'vercel-ui-messages': {
    calls: distinct(/"toolCallId":\s*"([^"]*)"/g),
    users: objects((each) => word(each, 'role') === 'user'),
    models: objects((each) => word(each, 'role') === 'assistant'),
  },
  'vscode-copilot': {
    calls: objects(
      (each) =>
        (word(each, 'kind') === 'toolInvocationSerialized' &&
          !word(each, 'toolId').endsWith('_internal')) ||
        word(each, 'kind') === 'toolCall',
    ),
    users: objects((each) => 'requestId' in each && 'message' in each),
  },
  'vscode-mcp-log': { calls: MCP },
  'who-and-when': { calls: times(/exitcode: /g) },
  'zed-threads': { calls: distinct(/"ToolUse":\{"id":"([^"]+)"/g) },
  'zipkin-json': {
    calls: times(/"gen_ai.tool.name":/g),
    models: times(/"name": ?"chat /g),
  },
};
