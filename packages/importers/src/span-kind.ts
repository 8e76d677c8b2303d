import type { StepKind } from '@misstep/model';
import { oneLine } from './one-line.ts';
import { textAttribute } from './span-attributes.ts';
import { splitToolName } from './tool-name.ts';
import type { TraceSpan } from './trace-span.ts';

const BY_OPERATION: ReadonlyMap<string, StepKind> = new Map([
  ['chat', 'model'],
  ['generate_content', 'model'],
  ['text_completion', 'model'],
  ['fetch_response', 'model'],
  // Words of Gemini CLI.
  ['llm_call', 'model'],
  ['tool_call', 'tool'],
  ['execute_tool', 'tool'],
  ['create_agent', 'agent'],
  ['invoke_agent', 'agent'],
  ['invoke_workflow', 'agent'],
  ['retrieval', 'retrieval'],
]);

/** Words of OpenInference, Langfuse, LangSmith and Traceloop. */
const BY_WORD: ReadonlyMap<string, StepKind> = new Map([
  ['llm', 'model'],
  ['generation', 'model'],
  ['chat', 'model'],
  ['completion', 'model'],
  ['tool', 'tool'],
  ['agent', 'agent'],
  ['workflow', 'agent'],
  ['retriever', 'retrieval'],
]);

/** The kind of step that a span is, by the most telling convention that it keeps. */
export function kindOfSpan({ attributes, kindHint, name, stated }: TraceSpan): StepKind {
  if (stated?.kind !== undefined) return stated.kind;
  const method = textAttribute(attributes, 'mcp.method.name');
  if (method !== null) return method === 'tools/call' ? 'tool' : 'protocol';
  const operation = textAttribute(attributes, 'gen_ai.operation.name');
  const byOperation = operation === null ? undefined : BY_OPERATION.get(operation);
  if (byOperation !== undefined) return byOperation;
  for (const word of [
    textAttribute(attributes, 'openinference.span.kind'),
    textAttribute(attributes, 'traceloop.span.kind'),
    kindHint,
  ]) {
    const kind = word === null ? undefined : BY_WORD.get(word.toLowerCase());
    if (kind !== undefined) return kind;
  }
  const vercel = textAttribute(attributes, 'ai.operationId') ?? '';
  if (vercel === 'ai.toolCall') return 'tool';
  if (/\.do(Generate|Stream)$/.test(vercel)) return 'model';
  if (/^ai\.(generate|stream)(Text|Object)$/.test(vercel)) return 'agent';
  if (operation !== null) return 'note';
  const isStated =
    attributes.has('openinference.span.kind') || attributes.has('traceloop.span.kind');
  if (isStated || vercel !== '') return 'note';
  if (attributes.has('gen_ai.tool.name') || attributes.has('gen_ai.tool.call.id')) return 'tool';
  const asksModel =
    attributes.has('llm.request.type') ||
    attributes.has('gen_ai.prompt.0.role') ||
    attributes.has('gen_ai.request.model');
  if (asksModel) return /embed/i.test(name) ? 'note' : 'model';
  return 'note';
}

interface SpanTool {
  readonly server: string | null;
  readonly tool: string | null;
  readonly name: string;
}

/** Tool and server of a tool span, and what the row is called. */
export function toolOfSpan({ attributes, name, stated }: TraceSpan, kind: StepKind): SpanTool {
  const called = (text: string): string => oneLine(text, 200) || '(no name)';
  if (kind !== 'tool') {
    const agent = textAttribute(
      attributes,
      'gen_ai.agent.name',
      'agent.name',
      'traceloop.entity.name',
    );
    const server = kind === 'protocol' ? serverOf(attributes) : null;
    if (kind === 'model') {
      return { server: null, tool: null, name: called(stated?.rowName ?? 'Model call') };
    }
    return { server, tool: null, name: called(kind === 'agent' ? (agent ?? name) : name) };
  }
  const written =
    stated?.tool ??
    textAttribute(
      attributes,
      'gen_ai.tool.name',
      'mcp.tool.name',
      'ai.toolCall.name',
      'tool.name',
      'traceloop.entity.name',
    ) ??
    name.replace(/^(execute_tool|running tool:?|tools\/call) +/, '');
  const split = splitToolName(written);
  const server = stated?.server ?? split.server ?? serverOf(attributes);
  return { server, tool: split.tool, name: called(split.tool) };
}

function serverOf(attributes: TraceSpan['attributes']): string | null {
  return textAttribute(attributes, 'mcp.server.name', 'gen_ai.tool.server.name', 'mcp.server');
}
