/** Which format real files of a folder are, where it isn't the same for every file there. */
const CLAIMS: readonly (readonly [pattern: RegExp, id: string])[] = [
  [/^(otlp|openllmetry|vs-copilot-otel|vercel-ai)\//, 'otlp-json'],
  [/^jaeger\//, 'jaeger-json'],
  [/^zipkin\//, 'zipkin-json'],
  [/^langfuse\//, 'langfuse'],
  [/^langsmith\/langsmith-js/, 'langsmith'],
  [/^phoenix\//, 'phoenix'],
  [/^openai-agents\//, 'openai-agents'],
  [/\.har$/, 'har'],
  [/\.mitm$/, 'mitmproxy'],
  [/^pcap\//, 'pcap'],
  [/^mcp-proxy\//, 'mcp-proxy-log'],
  [/^claude-trace\//, 'claude-trace'],
  [/cassette/, 'mcp-recorder-cassette'],
  [/^tau-bench\/(gpt|tau2)/, 'tau-bench'],
  [/^mini-swe-agent\//, 'mini-swe-agent'],
  [/^swe-agent\//, 'swe-agent'],
  [/^atif\//, 'atif'],
  [/^autogen\//, 'autogen'],
  [/^inspect\/.*\.json$/, 'inspect-json'],
  [/^openhands\/(basic|multi|resolver)/, 'openhands'],
  [/^langchain\/vercel-uistream/, 'vercel-ui-messages'],
  [/^openai-responses\//, 'openai-responses'],
  [/^anthropic-messages\//, 'anthropic-messages'],
  [/^openhands\/sdk-/, 'openai-messages'],
];

/** The format that a real file is known to be; null where nobody claims it. */
export function claimedFormat(name: string): string | null {
  return CLAIMS.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** Files whose messages are those of a model's API, whatever wrote them. */
export function holdsPlainMessages(name: string): boolean {
  return /^cline-roo\//.test(name);
}
