import type { StepKind } from '@misstep/model';
import { readUsage } from '../chat-usage.ts';
import { firstObjects, headObjects, scoreOfMost } from '../head-values.ts';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import type { JsonView } from '../json-view.ts';
import { type KeptSpan, keepSpan } from '../kept-span.ts';
import type { SpanClock } from '../span-clock.ts';
import { runsOfTraces, type TraceFacts } from '../trace-runs.ts';
import type { StatedFacts, TraceSpan } from '../trace-span.ts';
import { readValueSource } from '../value-source.ts';

/** Traces that the OpenAI Agents SDK exports. */
export const openAiAgents: Importer = {
  id: 'openai-agents',
  title: 'OpenAI Agents SDK trace',
  evidence: 'logged',
  revision: 8,
  sniff,
  read,
};

const OBJECT = /^trace(\.span)?$/;

function sniff(head: SourceHead): number {
  const scoreOf = (item: JsonView): number =>
    OBJECT.test(item.get('object')?.text ?? '') ? 0.97 : 0;
  return scoreOfMost(headObjects(head), (object) =>
    Math.max(scoreOf(object), scoreOfMost(firstObjects(object.get('data')), scoreOf)),
  );
}

function read(input: ImportInput): Promise<ImportResult> {
  const spans: KeptSpan[] = [];
  const facts = new Map<string, TraceFacts>();
  const traced = new Set<string>();
  return readValueSource(
    input,
    (place, { ledger, clock, records }) => {
      const again = readingAgain(clock, traced);
      const list = place.isArray ? place : (place.get('data') ?? place);
      for (const item of list.isArray ? list.items : [list]) {
        const id = item.get('id')?.text ?? '';
        const kind = item.get('object')?.text;
        const span = kind === 'trace.span' ? readSpan(item, clock, traced) : null;
        if (span?.stated?.kind === 'model' && span.parentId !== null) traced.add(span.parentId);
        if (kind === 'trace' && id !== '') {
          facts.set(id, {
            title: item.get('workflow_name')?.text ?? null,
            client: 'OpenAI Agents SDK',
            naturalId: item.get('group_id')?.text ?? id,
          });
          ledger.understood();
        } else if (span !== null) {
          ledger.understood();
          spans.push(keepSpan(span, records, again));
        } else ledger.notUnderstood(item.origin, 'neither a trace nor a span with ids');
      }
      return [];
    },
    ({ issues, ledger, clock }) => {
      const other = { client: 'OpenAI Agents SDK' };

      return runsOfTraces(spans, issues, ledger, (id) => facts.get(id) ?? other, clock.clock);
    },
    ({ pointer }) => pointer === '' || pointer === '/data',
  );
}

const KINDS: ReadonlyMap<string, StepKind> = new Map([
  ['function', 'tool'],
  ['generation', 'model'],
  ['response', 'model'],
  ['agent', 'agent'],
  ['mcp_tools', 'protocol'],
]);

/** Apart from the reading, so that it holds on to nothing but the clock and the ids. */
function readingAgain(
  clock: SpanClock,
  traced: ReadonlySet<string>,
): (record: JsonView) => TraceSpan | null {
  return (record) => readSpan(record, clock.repeat(), traced);
}

/** `traced`: the ids of what stands above the spans of model calls. */
function readSpan(item: JsonView, clock: SpanClock, traced: ReadonlySet<string>): TraceSpan | null {
  const id = item.get('id')?.text ?? '';
  const traceId = item.get('trace_id')?.text ?? '';
  const data = item.get('span_data');
  if (id === '' || traceId === '' || data?.isObject !== true) return null;
  const type = data.get('type')?.text ?? '';
  const error = item.firstOf('error');
  const detail = error?.at('data', 'error')?.text;
  const message = error?.get('message')?.text ?? null;
  return {
    traceId,
    spanId: id,
    parentId: item.get('parent_id')?.text || null,
    name: nameOf(data, type),
    record: item,
    start: clock.read(item.get('started_at')),
    end: clock.read(item.get('ended_at')),
    status: error === undefined ? 'unset' : 'error',
    statusMessage:
      message === null || detail === undefined || detail === null
        ? message
        : `${message}: ${detail}`,
    attributes: new Map(),
    messages: [],
    kindHint: null,
    service: null,
    stated: {
      ...statedBy(data, type),
      ...(isAsking(data, traced, id)
        ? { kind: 'model', rowName: `Model call (${nameOf(data, type)})` }
        : {}),
    },
  };
}

/**
 * A turn asks the model once, and counts its tokens. Where the answer has no span of its own (exporters
 * may leave them out), the turn is all that is known of the call.
 */
function isAsking(data: JsonView, traced: ReadonlySet<string>, id: string): boolean {
  const isTurn = data.at('data', 'sdk_span_type')?.text === 'turn';
  return isTurn && data.at('data', 'usage')?.isObject === true && !traced.has(id);
}

function nameOf(data: JsonView, type: string): string {
  if (type === 'handoff') {
    const to = data.get('to_agent')?.text ?? '?';
    return `handoff from ${data.get('from_agent')?.text ?? '?'} to ${to}`;
  }
  if (type === 'mcp_tools') return `tools of ${data.get('server')?.text ?? 'an MCP server'}`;
  const turn = data.at('data', 'turn')?.written;
  const name = data.get('name')?.text ?? type;
  return turn === undefined ? name : `${name} ${turn}`;
}

function statedBy(data: JsonView, type: string): StatedFacts {
  const server = (data.at('mcp_data', 'server') ?? data.get('mcp_data'))?.text;
  const model = data.get('model')?.text;
  const tool = data.get('name')?.text;
  return {
    kind: KINDS.get(type) ?? 'note',
    input: data.firstOf('input'),
    output: data.firstOf('output', 'result'),
    // Names alone, those of MCP servers among them.
    ...(type === 'agent' ? { tools: [data.get('tools') ?? []].flat() } : {}),
    // `task` and `turn` are sums of what stands below them; what is counted below isn't again here.
    usage: readUsage(data.firstOf('usage') ?? data.at('data', 'usage')),
    ...(typeof model === 'string' ? { model } : {}),
    ...(type === 'function' && typeof tool === 'string' ? { tool } : {}),
    ...(typeof server === 'string' ? { server } : {}),
  };
}
