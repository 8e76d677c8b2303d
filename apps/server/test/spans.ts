import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { HOST } from './support.ts';

export const TRACE = '00f1d0c5a7b94e1c8f2a6d3b5c7e9a10';
const BEGAN_NS = 1_795_500_000_000_000_000n;

/** One span of OTLP's JSON; ids count from 1, times follow them. */
export function span(
  id: number,
  parent: number | null,
  name: string,
  attributes: Record<string, string> = {},
  more: object = {},
) {
  const hex = (of: number) => of.toString(16).padStart(16, '0');
  return {
    traceId: TRACE,
    spanId: hex(id),
    ...(parent === null ? {} : { parentSpanId: hex(parent) }),
    name,
    kind: 1,
    startTimeUnixNano: String(BEGAN_NS + BigInt(id) * 1_000_000n),
    endTimeUnixNano: String(BEGAN_NS + BigInt(id) * 1_000_000n + 500_000n),
    attributes: Object.entries(attributes).map(([key, stringValue]) => ({
      key,
      value: { stringValue },
    })),
    ...more,
  };
}

export function body(...spans: readonly object[]): string {
  const resource = {
    attributes: [{ key: 'service.name', value: { stringValue: 'wheel-desk' } }],
  };
  return JSON.stringify({
    resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'wheel.tracing' }, spans }] }],
  });
}

export const agent = span(1, null, 'invoke_agent wheelwright', {
  'gen_ai.operation.name': 'invoke_agent',
  'gen_ai.agent.name': 'wheelwright',
});
export const tool = span(3, 1, 'execute_tool weigh_wheel', {
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'weigh_wheel',
  'gen_ai.tool.call.arguments': '{"wheel":9007199254740993}',
  'gen_ai.tool.call.result': '{"grams":1.0}',
  // Written out, since a literal `__proto__` key of an object would set its prototype.
  ...Object.fromEntries([
    ['__proto__', 'polluted'],
    ['constructor.prototype.x', 'polluted'],
  ]),
});
export const chat = span(2, 1, 'chat heron-2', {
  'gen_ai.operation.name': 'chat',
  'gen_ai.response.model': 'heron-2',
});

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly bytes: Buffer;
  readonly json: unknown;
}

export async function post(
  app: FastifyInstance,
  payload: string | Buffer,
  headers: Record<string, string> = {},
  url = '/v1/traces',
): Promise<Answer> {
  const isGzip = headers['content-encoding'] === 'gzip';
  const response = await app.inject({
    method: 'POST',
    url,
    headers: { host: HOST, 'content-type': 'application/json', ...headers },
    payload: isGzip ? gzipSync(payload) : payload,
  });
  const type = String(response.headers['content-type'] ?? '');
  return {
    status: response.statusCode,
    type,
    bytes: response.rawPayload,
    json: type.startsWith('application/json') ? JSON.parse(response.body) : null,
  };
}
