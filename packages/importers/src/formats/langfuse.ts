import { readUsd, type Usage } from '@misstep/model';
import { headObject } from '../head-values.ts';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import type { JsonView } from '../json-view.ts';
import { firstLine } from '../one-line.ts';
import type { SpanClock } from '../span-clock.ts';
import { statedUsd } from '../stated-cost.ts';
import { runsOfTraces, type TraceFacts } from '../trace-runs.ts';
import type { StatedFacts, TraceSpan } from '../trace-span.ts';
import { readValueSource } from '../value-source.ts';

/** Traces and observations of Langfuse: downloads, API answers, batch exports. */
export const langfuse: Importer = {
  id: 'langfuse',
  title: 'Langfuse trace',
  evidence: 'logged',
  revision: 5,
  sniff,
  read,
};

function sniff(head: SourceHead): number {
  const first = headObject(head);
  if (first === undefined) return 0;
  if (first.get('trace')?.isObject === true && first.get('observations') !== undefined) return 0.97;
  if (isObservation(first)) return 0.95;
  const inner = first.get('observations') ?? first.get('data');
  if (inner?.isArray === true && inner.items[0] !== undefined && isObservation(inner.items[0])) {
    return 0.97;
  }
  return first.get('projectId') !== undefined && first.get('observations') !== undefined ? 0.9 : 0;
}

function isObservation(item: JsonView): boolean {
  const own = ['parentObservationId', 'usageDetails', 'statusMessage', 'completionStartTime'];
  const telling = own.filter((key) => item.get(key) !== undefined).length;
  return item.get('traceId') !== undefined && item.get('type') !== undefined && telling > 1;
}

function read(input: ImportInput): Promise<ImportResult> {
  const spans: TraceSpan[] = [];
  const facts = new Map<string, TraceFacts>();
  return readValueSource(
    input,
    (place, { ledger, clock }) => {
      for (const item of place.isArray ? place.items : [place]) {
        const trace = item.get('trace') ?? (item.get('projectId') === undefined ? undefined : item);
        const isTrace = trace?.get('timestamp') !== undefined && trace.get('traceId') === undefined;
        if (isTrace && trace !== undefined) {
          ledger.understood();
          facts.set(trace.get('id')?.text ?? '', factsOf(trace));
        }
        const list = item.get('observations') ?? item.get('data');
        const observations = list?.items ?? (isTrace ? [] : [item]);
        for (const observation of observations) {
          // The trace of a download lists the ids of its observations, which stand beside it.
          if (observation.text !== null) continue;
          const span = readObservation(observation, clock);
          if (span === null) ledger.notUnderstood(observation.origin, 'an observation without ids');
          else {
            ledger.understood();
            spans.push(span);
          }
        }
      }
      return [];
    },
    ({ issues, ledger, clock }) =>
      runsOfTraces(spans, issues, ledger, (id) => facts.get(id) ?? {}, clock.clock),
  );
}

function factsOf(trace: JsonView): TraceFacts {
  const given = trace.get('input')?.unwrapped();
  const asked = given?.text ?? given?.firstOf('query', 'question', 'input')?.text ?? null;
  const name = trace.get('name')?.text ?? null;
  return {
    title: (asked === null ? '' : firstLine(asked, 200)) || null,
    client: name,
    naturalId: trace.get('sessionId')?.text ?? trace.get('id')?.text ?? null,
  };
}

function readObservation(item: JsonView, clock: SpanClock): TraceSpan | null {
  const traceId = item.get('traceId')?.text ?? '';
  const spanId = item.get('id')?.text ?? '';
  if (traceId === '' || spanId === '') return null;
  const metadata = item.get('metadata')?.unwrapped();
  const attributes = metadata?.get('attributes')?.entries ?? metadata?.entries ?? new Map();
  const level = item.get('level')?.text ?? '';
  return {
    traceId,
    spanId,
    parentId: item.get('parentObservationId')?.text || null,
    name: item.get('name')?.text ?? '',
    record: item,
    start: clock.read(item.get('startTime')),
    end: clock.read(item.get('endTime')),
    status: level === 'ERROR' ? 'error' : 'unset',
    statusMessage: item.get('statusMessage')?.text || null,
    attributes,
    messages: [],
    kindHint: item.get('type')?.text ?? null,
    service: null,
    stated: statedBy(item),
  };
}

function statedBy(item: JsonView): StatedFacts {
  const model = item.get('model')?.text;
  return {
    input: item.firstOf('input'),
    output: item.firstOf('output'),
    usage: usageOf(item.get('usageDetails') ?? item.get('usage')),
    recordedCostUsd: costOf(item),
    ...(typeof model === 'string' && model !== '' ? { model } : {}),
  };
}

/** Without a price Langfuse writes a total of 0, and no details. */
function costOf(item: JsonView): string | null {
  const details = statedUsd(item.at('costDetails', 'total'));
  const total = statedUsd(item.firstOf('totalCost', 'calculatedTotalCost'));
  return details ?? (total !== null && readUsd(total) !== 0n ? total : null);
}

/**
 * Names of the parts vary. Where the parts add up to the total, they exclude one another (cached input,
 * reasoning); else `input` and `output` hold them.
 */
function usageOf(details: JsonView | undefined): Usage | null {
  const count = (...keys: string[]): number | null => details?.firstOf(...keys)?.count ?? null;
  const inputTokens = count('input', 'promptTokens', 'prompt_tokens', 'input_tokens');
  const output = count('output', 'completionTokens', 'completion_tokens', 'output_tokens');
  if (inputTokens === null && output === null) return null;
  const parts = [...(details?.entries ?? [])].flatMap(([key, view]) =>
    /^(input|output)/.test(key) && view.count !== null ? [{ key, tokens: view.count }] : [],
  );
  const sum = (of: typeof parts): number => of.reduce((total, { tokens }) => total + tokens, 0);
  const areApart = parts.length > 2 && sum(parts) === count('total');
  const ofOutput = parts.filter(({ key }) => key.startsWith('output'));
  return {
    inputTokens,
    outputTokens: areApart ? sum(ofOutput) : output,
    cacheReadTokens: count(
      'input_cached_tokens',
      'input_cache_read',
      'cache_read_input_tokens',
      'cached_tokens',
    ),
    cacheWriteTokens: count('input_cache_creation', 'cache_creation_input_tokens'),
    inputExcludesCache: areApart,
  };
}
