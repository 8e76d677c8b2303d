import { withEndsBehindStarts } from './ends-behind-starts.ts';
import { aiderHistory } from './formats/aider-history.ts';
import { ampThread } from './formats/amp-thread.ts';
import { anthropicMessages } from './formats/anthropic-messages.ts';
import { atif } from './formats/atif.ts';
import { autogen } from './formats/autogen.ts';
import { cascadeMarkdown } from './formats/cascade-markdown.ts';
import { chatgptExport } from './formats/chatgpt-export.ts';
import { claudeAiExport } from './formats/claude-ai-export.ts';
import { claudeCodeJsonl } from './formats/claude-code-jsonl.ts';
import { claudeCodeStream } from './formats/claude-code-stream.ts';
import { claudeCodeTerminal } from './formats/claude-code-terminal.ts';
import { claudeDesktopLog } from './formats/claude-desktop-log.ts';
import { claudeTrace } from './formats/claude-trace.ts';
import { clineRoo } from './formats/cline-roo.ts';
import { codexExec } from './formats/codex-exec.ts';
import { codexRollout } from './formats/codex-rollout.ts';
import { codexTerminal } from './formats/codex-terminal.ts';
import { continueSession } from './formats/continue-session.ts';
import { cursorDatabase } from './formats/cursor-database.ts';
import { cursorMarkdown } from './formats/cursor-markdown.ts';
import { frameLog } from './formats/frame-log.ts';
import { geminiCli } from './formats/gemini-cli.ts';
import { geminiTelemetry } from './formats/gemini-telemetry.ts';
import { goose } from './formats/goose.ts';
import { har } from './formats/har.ts';
import { httpText } from './formats/http-text.ts';
import { inspectJson } from './formats/inspect-json.ts';
import { jaegerJson } from './formats/jaeger-json.ts';
import { jsonRpcLines } from './formats/json-rpc-lines.ts';
import { langchain } from './formats/langchain.ts';
import { langfuse } from './formats/langfuse.ts';
import { langsmith } from './formats/langsmith.ts';
import { mcpProxyLog } from './formats/mcp-proxy-log.ts';
import { mcpRecorderCassette } from './formats/mcp-recorder-cassette.ts';
import { mcpVcr } from './formats/mcp-vcr.ts';
import { miniSweAgent } from './formats/mini-swe-agent.ts';
import { mitmproxy } from './formats/mitmproxy.ts';
import { openAiAgents } from './formats/openai-agents.ts';
import { openAiMessages } from './formats/openai-messages.ts';
import { openAiResponses } from './formats/openai-responses.ts';
import { opencode } from './formats/opencode.ts';
import { opencodeDatabase } from './formats/opencode-database.ts';
import { openHands } from './formats/openhands.ts';
import { otlpJson } from './formats/otlp-json.ts';
import { otlpProtobuf } from './formats/otlp-protobuf.ts';
import { otlpReceived } from './formats/otlp-received.ts';
import { pcap } from './formats/pcap.ts';
import { phoenix } from './formats/phoenix.ts';
import { plainText } from './formats/plain-text.ts';
import { smolagents } from './formats/smolagents.ts';
import { specstoryMarkdown } from './formats/specstory-markdown.ts';
import { sweAgent } from './formats/swe-agent.ts';
import { tauBench } from './formats/tau-bench.ts';
import { vercelUiMessages } from './formats/vercel-ui-messages.ts';
import { vscodeCopilot } from './formats/vscode-copilot.ts';
import { vscodeMcpLog } from './formats/vscode-mcp-log.ts';
import { whoAndWhen } from './formats/who-and-when.ts';
import { zedThreads } from './formats/zed-threads.ts';
import { zipkinJson } from './formats/zipkin-json.ts';
import type { Importer } from './importer.ts';

/** A new one is one file in formats/ and one line here. */
const formats: readonly Importer[] = [
  frameLog,
  claudeCodeJsonl,
  jsonRpcLines,
  codexRollout,
  codexExec,
  claudeCodeStream,
  geminiCli,
  geminiTelemetry,
  vscodeCopilot,
  claudeDesktopLog,
  vscodeMcpLog,
  clineRoo,
  opencode,
  cursorDatabase,
  opencodeDatabase,
  goose,
  zedThreads,
  ampThread,
  continueSession,
  chatgptExport,
  claudeAiExport,
  cursorMarkdown,
  cascadeMarkdown,
  specstoryMarkdown,
  aiderHistory,
  claudeCodeTerminal,
  codexTerminal,
  otlpJson,
  otlpProtobuf,
  otlpReceived,
  jaegerJson,
  zipkinJson,
  langfuse,
  langsmith,
  phoenix,
  openAiAgents,
  har,
  mitmproxy,
  pcap,
  httpText,
  claudeTrace,
  mcpProxyLog,
  mcpRecorderCassette,
  mcpVcr,
  autogen,
  atif,
  inspectJson,
  miniSweAgent,
  openHands,
  smolagents,
  sweAgent,
  tauBench,
  whoAndWhen,
  langchain,
  vercelUiMessages,
  openAiMessages,
  openAiResponses,
  anthropicMessages,
  plainText,
];

/** Every format that can be read. */
export const importers: readonly Importer[] = formats.map(withEndsBehindStarts);
