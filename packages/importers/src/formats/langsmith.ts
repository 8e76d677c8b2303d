import type { Usage } from '@misstep/model';
import { readUsage } from '../chat-usage.ts';
import { firstObjects, headObjects, scoreOfMost } from '../head-values.ts';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import type { JsonView } from '../json-view.ts';
import { type KeptSpan, keepWhole } from '../kept-span.ts';
import { addTo } from '../multi-map.ts';
import { RecordFields } from '../record-fields.ts';
import { counted, IssueList, RecordLedger } from '../record-ledger.ts';
import { type KeptRecord, SourceRecords } from '../source-records.ts';
import { SpanClock } from '../span-clock.ts';
import { statedUsd } from '../stated-cost.ts';
import { runsOfTraces } from '../trace-runs.ts';
import type { SpanTime, TraceSpan } from '../trace-span.ts';
import { readValueSource } from '../value-source.ts';
import {
  boundaryOf,
  FieldPart,
  OPENING_BYTES,
  type RunPart,
  readParts,
} from './langsmith/multipart.ts';

/** Runs of LangSmith: what its SDK lists and sends, one a line or in a list. */
export const langsmith: Importer = {
  id: 'langsmith',
  title: 'LangSmith runs',
  evidence: 'logged',
  revision: 9,
  sniff,
  read,
};

function sniff(head: SourceHead): number {
  if (boundaryOf(head.text) !== null) return 0.97;
  return scoreOfMost(headObjects(head), (object) => {
    const listed = object.firstOf('runs', 'post', 'patch');
    return listed?.isArray === true ? scoreOfMost(firstObjects(listed), scoreOf) : scoreOf(object);
  });
}

function scoreOf(run: JsonView): number {
  if (idOf(run) === '') return 0;
  if (run.get('dotted_order')?.text !== undefined) return 0.97;
  return run.get('run_type') !== undefined ? 0.9 : 0;
}

const idOf = (run: JsonView): string => run.firstOf('id', 'run_id')?.text ?? '';

async function read(input: ImportInput): Promise<ImportResult> {
  const { main } = input;
  const opening = new TextDecoder().decode(
    await main.read(0, Math.min(OPENING_BYTES, main.sizeBytes)),
  );
  const boundary = boundaryOf(opening);
  return boundary === null ? readValues(input) : readMultipart(input, boundary);
}

/** A body of `POST /runs/multipart`: a run and its larger fields are parts of their own. */
async function readMultipart(input: ImportInput, boundary: string): Promise<ImportResult> {
  const issues = new IssueList();
  const ledger = new RecordLedger(input.main.sha256);
  const clock = new SpanClock(issues);
  const records = new SourceRecords(input.main);
  const parts = new Map<string, RunPart[]>();
  for (const part of await readParts(input, boundary, ledger, issues)) {
    addTo(parts, part.runId, part);
  }
  const spans: KeptSpan[] = [];
  for (const [id, own] of parts) {
    const views = own.flatMap(({ field, view }) => (field === null ? view : []));
    const fields = own.flatMap(({ field, view }) =>
      field === null ? [] : new FieldPart(field, view),
    );
    // A field whose run is not in the body stands for it.
    const told = views.length > 0 ? views : own.slice(0, 1).map(({ view }) => view);
    const whole = async (): Promise<TraceSpan> => readRun(id, told, parts, clock.repeat(), fields);
    spans.push(keepWhole(readRun(id, told, parts, clock, fields), records, whole));
  }
  const runs = await runsOfTraces(spans, issues, ledger, () => ({}), clock.clock);
  return { runs, sources: [ledger.account()], issues: issues.list() };
}

function readValues(input: ImportInput): Promise<ImportResult> {
  /** Records of a run by its id: it is sent when it begins and patched when it ends. */
  const own = new Map<string, KeptRecord[]>();
  return readValueSource(
    input,
    (place, { ledger, records }) => {
      const queue = [place];
      for (let at = 0; at < queue.length; at += 1) {
        const run = queue[at];
        if (run === undefined) break;
        if (run.isArray) {
          for (const item of run.items) queue.push(item);
          continue;
        }
        const lists = ['runs', 'post', 'patch'].flatMap((key) => run.get(key)?.items ?? []);
        const id = idOf(run);
        const isRun = ['run_type', 'dotted_order', 'trace_id', 'outputs', 'end_time'].some(
          (key) => run.get(key) !== undefined,
        );
        if (id === '' || !isRun) {
          if (lists.length === 0) ledger.notUnderstood(run.origin, 'no run with an id');
          for (const item of lists) queue.push(item);
          continue;
        }
        ledger.understood();
        addTo(own, records.share(id), records.keep(run));
        for (const child of run.get('child_runs')?.items ?? []) queue.push(child);
      }
      return [];
    },
    async ({ issues, ledger, clock, records }) => {
      const spans: KeptSpan[] = [];
      for (const [id, kept] of own) {
        const span = readRun(id, await Promise.all(kept.map((record) => record())), own, clock);
        if (span.stated?.elsewhere?.input || span.stated?.elsewhere?.output) {
          tellElsewhere(span, issues);
        }
        const whole = readingAgain(id, kept, own, clock);
        spans.push(keepWhole(span, records, whole));
      }
      return runsOfTraces(spans, issues, ledger, () => ({}), clock.clock);
    },
    ({ pointer, beside }) => pointer === '' || (pointer === '/runs' && beside.length === 0),
  );
}

function tellElsewhere({ record }: TraceSpan, issues: IssueList): void {
  const { sha256, offset } = record.origin;
  issues.count(
    'CONTENT_ELSEWHERE',
    (count) =>
      `${counted(count, 'run')} whose inputs or outputs LangSmith keeps in files of its own; they are not in the source.`,
    sha256,
    offset,
  );
}

/** Apart from the reading, so that it holds on to no record. */
function readingAgain(
  id: string,
  kept: readonly KeptRecord[],
  all: ReadonlyMap<string, unknown>,
  clock: SpanClock,
): () => Promise<TraceSpan> {
  return async () => {
    const records = await Promise.all(kept.map((record) => record()));
    return readRun(id, records, all, clock.repeat());
  };
}

function readRun(
  id: string,
  records: readonly JsonView[],
  all: ReadonlyMap<string, unknown>,
  clock: SpanClock,
  apart: readonly FieldPart[] = [],
): TraceSpan {
  const run = new RecordFields([...records, ...apart]);
  const [record, ...moreRecords] = records;
  if (record === undefined) throw new Error('a run has a record');
  const order = dottedIds(run.text('dotted_order') ?? '');
  const parentId = run.text('parent_run_id') ?? order.at(-2) ?? null;
  const error = run.text('error');
  const end = run.get('end_time');
  const start = clock.read(run.get('start_time'), null, UTC);
  const model = run.text('extra', 'metadata', 'ls_model_name');
  const isTool = run.text('run_type') === 'tool';
  const callId = isTool ? (run.text('extra', 'tool_call_id') ?? '') : '';
  const inputs = isElsewhere(run, 'inputs') ? undefined : run.get('inputs');
  const outputs = isElsewhere(run, 'outputs') ? undefined : run.get('outputs');
  return {
    traceId: run.text('trace_id') ?? order[0] ?? rootOf(id, parentId, all),
    spanId: id,
    parentId,
    name: run.text('name') ?? '',
    record,
    moreRecords: [...moreRecords, ...apart].map(({ origin }) => origin),
    // The SDK for JavaScript puts a counter behind the milliseconds of the start.
    start: end?.node.kind === 'number' && start !== null ? toMilliseconds(start) : start,
    end: clock.read(end, 'ms', UTC),
    status: error !== null ? 'error' : run.text('status') === 'success' ? 'ok' : 'unset',
    statusMessage: error,
    attributes: run.get('extra', 'metadata')?.entries ?? new Map(),
    messages: [],
    kindHint: run.text('run_type'),
    service: run.text('session_name'),
    stated: {
      input: isTool ? only(inputs, 'input') : inputs,
      output: isTool ? only(outputs, 'output') : outputs,
      elsewhere: { input: isElsewhere(run, 'inputs'), output: isElsewhere(run, 'outputs') },
      usage: run.text('run_type') === 'llm' ? usageOf(run) : null,
      recordedCostUsd: run.text('run_type') === 'llm' ? statedUsd(run.get('total_cost')) : null,
      tools: toolsOf(run),
      ...(model === null ? {} : { model }),
      ...(callId === '' ? {} : { callId }),
    },
  };
}

/** What LangChain hands to the model, or the request that a wrapped client was given. */
function toolsOf(run: RecordFields): JsonView[] {
  return [
    run.get('extra', 'invocation_params', 'tools'),
    run.get('extra', 'invocation_params', 'functions'),
    run.get('inputs', 'tools'),
    run.get('inputs', 'functions'),
  ].flatMap((list) => (list?.isArray === true ? list : []));
}

/** LangSmith lists times without a zone, which are UTC as `dotted_order` writes them. */
const UTC = { isUtc: true } as const;

/** LangSmith keeps what is large in files, and gives addresses of them that are good for a while. */
function isElsewhere(run: RecordFields, what: 'inputs' | 'outputs'): boolean {
  const own = run.get(what);
  if (own !== undefined && own.written.replace(/\s/g, '') !== '{}') return false;
  return (run.get(`${what}_s3_urls`) ?? run.get('s3_urls', what)) !== undefined;
}

/** `{"input": "..."}` with nothing beside it is what a tool was given as text. */
function only(object: JsonView | undefined, key: string): JsonView | undefined {
  const entries = object?.entries;
  return entries?.size === 1 ? (entries.get(key) ?? object) : object;
}

/** The ids of the ancestors and of the run itself, outermost first. */
function dottedIds(order: string): string[] {
  return order
    .split('.')
    .flatMap((part) => /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.exec(part)?.[0] ?? []);
}

function rootOf(id: string, parentId: string | null, all: ReadonlyMap<string, unknown>): string {
  return parentId !== null && all.has(parentId) ? parentId : id;
}

function toMilliseconds(time: SpanTime): SpanTime {
  return { ...time, ns: time.ns - (time.ns % 1_000_000n) };
}

/** The first answer to the first of the prompts that LangChain asks at once. */
function answeredBy(run: RecordFields): JsonView | undefined {
  const [first] = run.get('outputs', 'generations')?.items ?? [];
  return first?.isArray === true ? first.items[0] : first;
}

function usageOf(run: RecordFields): Usage | null {
  const places = [
    run.get('outputs', 'usage_metadata'),
    run.get('extra', 'metadata', 'usage_metadata'),
    // LangChain's answer holds more of it than the sums beside it.
    answeredBy(run)?.at('message', 'kwargs', 'usage_metadata'),
    run.get('outputs', 'llm_output', 'token_usage'),
    run.get('outputs', 'usage'),
  ];
  for (const place of places) {
    const usage = readUsage(place);
    if (usage !== null) return usage;
  }
  const inputTokens = run.get('prompt_tokens')?.count ?? null;
  const outputTokens = run.get('completion_tokens')?.count ?? null;
  if (inputTokens === null && outputTokens === null) return null;
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: run.get('prompt_token_details', 'cache_read')?.count ?? null,
    cacheWriteTokens: null,
    inputExcludesCache: false,
  };
}
