import { firstObjects, headObjects, scoreOfMost } from '../head-values.ts';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import type { JsonView } from '../json-view.ts';
import { type KeptSpan, keepSpan, keepWhole } from '../kept-span.ts';
import { langfuseCost, langfuseUsage } from '../langfuse-facts.ts';
import { addTo } from '../multi-map.ts';
import { firstLine } from '../one-line.ts';
import { RecordFields } from '../record-fields.ts';
import { type RecordFate, SetAside } from '../record-ledger.ts';
import type { KeptRecord, SourceRecords } from '../source-records.ts';
import type { SpanClock } from '../span-clock.ts';
import { runsOfTraces, type TraceFacts } from '../trace-runs.ts';
import type { StatedFacts, TraceSpan } from '../trace-span.ts';
import { readValueSource } from '../value-source.ts';

/** Traces and observations of Langfuse: downloads, API answers, batch exports. */
export const langfuse: Importer = {
  id: 'langfuse',
  title: 'Langfuse trace',
  evidence: 'logged',
  revision: 8,
  sniff,
  read,
};

/** What SDKs of before 2025 send: a thing is made, and told more of later. */
const EVENT = /^([a-z]+)-(create|update)$/;
const NOT_READ = new SetAside('a score, or a message of the SDK about itself');

function sniff(head: SourceHead): number {
  return scoreOfMost(headObjects(head), (object) => {
    const observations = object.get('observations');
    const traces = firstObjects(object.get('traces'));
    const ofSession = scoreOfMost(traces, (trace) =>
      trace.get('sessionId') !== undefined && trace.get('projectId') !== undefined ? 0.95 : 0,
    );
    if (ofSession > 0) return ofSession;
    if (object.get('trace')?.isObject === true && observations !== undefined) return 0.97;
    if (isObservation(object)) return 0.95;
    const sent = firstObjects(object.get('batch'));
    const event = scoreOfMost(sent, (item) => (isEvent(item) ? 0.97 : 0));
    if (event > 0) return event;
    const inner = firstObjects(observations ?? object.get('data'));
    const listed = scoreOfMost(inner, (item) => (isObservation(item) ? 0.97 : 0));
    if (listed > 0) return listed;
    return object.get('projectId') !== undefined && observations !== undefined ? 0.9 : 0;
  });
}

function isEvent(item: JsonView): boolean {
  return EVENT.test(item.get('type')?.text ?? '') && item.get('body')?.isObject === true;
}

function isObservation(item: JsonView): boolean {
  const own = ['parentObservationId', 'usageDetails', 'statusMessage', 'completionStartTime'];
  const telling = own.filter((key) => item.get(key) !== undefined).length;
  return item.get('traceId') !== undefined && item.get('type') !== undefined && telling > 1;
}

function read(input: ImportInput): Promise<ImportResult> {
  const spans: KeptSpan[] = [];
  const facts = new Map<string, TraceFacts>();
  const alone = new Map<string, KeptSpan>();
  const sent = new SentEvents();
  return readValueSource(
    input,
    (place, { ledger, clock, records }) => {
      const again = readingAgain(clock);
      const traceAgain = (record: JsonView): TraceSpan | null =>
        spanOfTrace(record, clock.repeat());
      const items = place.isArray ? place.items : [place];
      for (const item of items.flatMap((each) => each.get('traces')?.items ?? [each])) {
        const batch = item.get('batch');
        if (batch?.isArray === true) {
          for (const event of batch.items)
            ledger.take(event.origin, sent.add(event, facts, records));
          continue;
        }
        const trace = item.get('trace') ?? (item.get('projectId') === undefined ? undefined : item);
        const isTrace = trace?.get('timestamp') !== undefined && trace.get('traceId') === undefined;
        if (isTrace && trace !== undefined) {
          ledger.understood();
          facts.set(trace.get('id')?.text ?? '', factsOf(trace));
          const whole = spanOfTrace(trace, clock);
          if (whole !== null) alone.set(whole.traceId, keepSpan(whole, records, traceAgain));
        }
        const list = item.get('observations') ?? item.get('data');
        const observations = list?.items ?? (isTrace ? [] : [item]);
        for (const observation of observations) {
          // The trace of a download lists the ids of its observations, which stand beside it.
          if (observation.text !== null) continue;
          const span = readObservation([observation], null, clock);
          if (span === null) ledger.notUnderstood(observation.origin, 'an observation without ids');
          else {
            ledger.understood();
            spans.push(keepSpan(span, records, again));
          }
        }
      }
      return [];
    },
    async ({ issues, ledger, clock, records }) => {
      const observed = [...spans, ...(await sent.spans(clock, records))];
      for (const { traceId } of observed) alone.delete(traceId);
      const all = [...observed, ...alone.values()];
      return runsOfTraces(all, issues, ledger, (id) => facts.get(id) ?? {}, clock.clock);
    },
    ({ pointer }) => pointer === '' || pointer === '/data' || pointer === '/traces',
  );
}

/** Events of ingestion, put together to observations. */
class SentEvents {
  readonly #bodies = new Map<string, KeptRecord[]>();
  readonly #events = new Map<string, string>();

  add(event: JsonView, facts: Map<string, TraceFacts>, records: SourceRecords): RecordFate {
    const type = event.get('type')?.text ?? '';
    const [, kind = '', what] = EVENT.exec(type) ?? [];
    const body = event.get('body');
    if (kind === 'score' || type === 'sdk-log') return NOT_READ;
    const id = body?.get('id')?.text ?? '';
    if (what === undefined || body === undefined || id === '') return 'an event without an id';
    if (kind === 'trace') {
      facts.set(id, { ...factsOf(body), ...facts.get(id) });
      return null;
    }
    addTo(this.#bodies, records.share(id), records.keep(body));
    // `observation-create` says its type itself.
    if (kind !== 'observation') this.#events.set(records.share(id), kind);
    return null;
  }

  async spans(clock: SpanClock, records: SourceRecords): Promise<KeptSpan[]> {
    const spans: KeptSpan[] = [];
    for (const [id, bodies] of this.#bodies) {
      const event = this.#events.get(id) ?? null;
      const span = readObservation(await viewsOf(bodies), event, clock);
      if (span === null) continue;
      spans.push(keepWhole(span, records, bodiesAgain(bodies, event, clock)));
    }
    return spans;
  }
}

function viewsOf(kept: readonly KeptRecord[]): Promise<JsonView[]> {
  return Promise.all(kept.map((record) => record()));
}

/** Apart from the reading, so that it holds on to no record. */
function bodiesAgain(
  bodies: readonly KeptRecord[],
  event: string | null,
  clock: SpanClock,
): () => Promise<TraceSpan> {
  return async () => {
    const span = readObservation(await viewsOf(bodies), event, clock.repeat());
    if (span === null) throw new Error('an observation that was read before is none');
    return span;
  };
}

/** As `bodiesAgain`: of an observation with one record. */
function readingAgain(clock: SpanClock): (record: JsonView) => TraceSpan | null {
  return (record) => readObservation([record], null, clock.repeat());
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

/** A trace as the only step of its run, where the source holds none of its observations. */
function spanOfTrace(trace: JsonView, clock: SpanClock): TraceSpan | null {
  const id = trace.get('id')?.text ?? '';
  if (id === '') return null;
  const start = clock.read(trace.get('timestamp'));
  return {
    traceId: id,
    spanId: id,
    parentId: null,
    name: trace.get('name')?.text ?? 'Trace',
    record: trace,
    start,
    end: null,
    status: 'unset',
    statusMessage: null,
    attributes: new Map(),
    messages: [],
    kindHint: null,
    service: null,
    stated: { kind: 'note', input: trace.get('input'), output: trace.get('output') },
  };
}

function readObservation(
  records: readonly JsonView[],
  event: string | null,
  clock: SpanClock,
): TraceSpan | null {
  const item = new RecordFields(records);
  const [record, ...moreRecords] = records;
  const traceId = item.text('traceId') ?? '';
  const spanId = item.text('id') ?? '';
  if (record === undefined || traceId === '' || spanId === '') return null;
  const metadata = item.get('metadata')?.unwrapped();
  const attributes = metadata?.get('attributes')?.entries ?? metadata?.entries ?? new Map();
  const level = item.text('level') ?? '';
  return {
    traceId,
    spanId,
    parentId: item.text('parentObservationId') || null,
    name: item.text('name') ?? '',
    record,
    moreRecords: moreRecords.map(({ origin }) => origin),
    start: clock.read(item.get('startTime')),
    end: clock.read(item.get('endTime')),
    status: level === 'ERROR' ? 'error' : 'unset',
    statusMessage: item.text('statusMessage') || null,
    attributes,
    messages: [],
    kindHint: item.text('type') ?? event,
    service: null,
    stated: statedBy(item),
  };
}

function statedBy(fields: RecordFields): StatedFacts {
  const model = fields.text('model');
  return {
    input: fields.get('input'),
    output: fields.get('output'),
    usage: langfuseUsage(fields.get('usageDetails') ?? fields.get('usage')),
    recordedCostUsd: langfuseCost(fields),
    ...(typeof model === 'string' && model !== '' ? { model } : {}),
  };
}
