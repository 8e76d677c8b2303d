// An agent that OpenTelemetry's own SDK traces and exports, as its environment says. Arguments: the
// exporter (json or protobuf) and how it sends (batch or single). Sends the children of its root,
// says "half", and ends the root once a line comes in.
import { once } from 'node:events';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';

const [encoding, sending] = process.argv.slice(2);
const exporter = encoding === 'json' ? new JsonExporter() : new ProtobufExporter();
const provider = new NodeTracerProvider({
  resource: resourceFromAttributes({ 'service.name': 'wheel-desk' }),
  spanProcessors: [
    sending === 'single' ? new SimpleSpanProcessor(exporter) : new BatchSpanProcessor(exporter),
  ],
});
const tracer = provider.getTracer('wheel.tracing');

const agent = tracer.startSpan('invoke_agent wheelwright', {
  attributes: {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'wheelwright',
    'gen_ai.usage.input_tokens': 100,
  },
});
const inside = trace.setSpan(ROOT_CONTEXT, agent);
const chat = tracer.startSpan(
  'chat heron-2',
  {
    kind: SpanKind.CLIENT,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'heron-2',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 9,
      'gen_ai.input.messages':
        '[{"role":"user","parts":[{"type":"text","content":"Wie schwer ist das Rad? ✓"}]}]',
      'gen_ai.output.messages':
        '[{"role":"assistant","parts":[{"type":"tool_call","id":"w-1","name":"weigh_wheel","arguments":{"wheel":9007199254740993}}]}]',
    },
  },
  inside,
);
chat.end();
const tool = tracer.startSpan(
  'execute_tool weigh_wheel',
  {
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'weigh_wheel',
      'gen_ai.tool.call.id': 'w-1',
      'gen_ai.tool.call.arguments': '{"wheel":9007199254740993}',
    },
  },
  inside,
);
tool.recordException(new Error('the scale is asleep'));
tool.setStatus({ code: SpanStatusCode.ERROR });
tool.setAttribute('__proto__', 'polluted');
tool.setAttribute('constructor.prototype.x', 'polluted');
tool.end();
await provider.forceFlush();
process.stdout.write('half\n');
await once(process.stdin, 'data');
agent.end();
await provider.shutdown();
process.exit(0);
