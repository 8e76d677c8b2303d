import type { Step, StepId } from '@misstep/model';
import { ChatRun } from './chat-run.ts';
import type { RecordedTool } from './importer.ts';
import { type KeptSpan, repeatedIds } from './kept-span.ts';
import { firstLine } from './one-line.ts';
import { orderSteps } from './order-steps.ts';
import { ownText } from './own-text.ts';
import { counted, type IssueList, type LateLedger, REPEATED } from './record-ledger.ts';
import type { TraceIds } from './source-places.ts';
import { addUntracedCalls } from './span-calls.ts';
import { meaningOf, type SpanStep, wholeOf } from './span-meaning.ts';
import { SpanOffers } from './span-offers.ts';
import { lacks, stepOf } from './span-step.ts';
import { StepIds } from './step-ids.ts';
import { ToolTable } from './tool-table.ts';
import { TraceTally } from './trace-tally.ts';

export interface TraceSteps {
  readonly steps: Step[];
  /** By start. */
  readonly spans: readonly SpanStep[];
  readonly tools: RecordedTool[];
  /** What the person asked, as the first span that says so was given it. */
  readonly asked: string | null;
  /** The first id of a session that a span names. */
  readonly session: string | null;
}

/**
 * The spans of one trace as steps in execution order. Spans may come in any order; a parent that
 * isn't there is told and its children become roots; cycles are cut; a span that is there twice,
 * byte for byte, counts once. Usage counts where it was spent, not again at the spans above.
 */
export async function stepsOfSpans(
  given: readonly KeptSpan[],
  issues: IssueList,
  ledger: LateLedger,
  places: TraceIds,
): Promise<TraceSteps> {
  const ids = new StepIds((sha256) => places.partOf(sha256));
  const facts = new TraceTally();
  const spans: SpanStep[] = [];
  for (const span of await dropRepeated(given, issues, ledger)) {
    const whole = await wholeOf(span);
    const meaning = meaningOf(whole);
    const step = stepOf(whole, meaning, ids.at(places.placeAt(span.knownAt)));
    facts.take(whole, meaning);
    const callId = meaning.callId === null ? null : ownText(meaning.callId);
    spans.push({ span, step, kind: meaning.kind, callId });
  }
  linkParents(spans, issues);
  const parents = parentsAmong(spans);
  const above = (each: SpanStep): SpanStep | undefined =>
    each.step.parentId === null ? undefined : parents.get(each.step.parentId);
  mergeNested(spans, above);
  countUsageOnce(spans, above);
  const sorted = byStart(spans);
  const streams = await addUntracedCalls(sorted, new ChatRun(issues, ids), above, places);
  const { asked, session } = facts;
  const tools = await toolsOf(sorted);
  return { steps: orderSteps([streams]), spans: sorted, tools, asked, session };
}

async function toolsOf(spans: readonly SpanStep[]): Promise<RecordedTool[]> {
  const offers = new SpanOffers();
  const tools = new ToolTable();
  for (const { span, kind } of spans) {
    if (kind !== 'model' && kind !== 'agent') continue;
    for (const tool of offers.of(await wholeOf(span))) tools.add(tool);
  }
  return tools.list();
}

async function dropRepeated(
  spans: readonly KeptSpan[],
  issues: IssueList,
  ledger: LateLedger,
): Promise<KeptSpan[]> {
  const repeated = repeatedIds(spans);
  const seen = new Map<string, string[]>();
  const kept: KeptSpan[] = [];
  for (const span of spans) {
    if (repeated.has(span.spanId)) {
      const known = seen.get(span.spanId);
      const { written } = (await span.whole()).record;
      if (known === undefined) seen.set(span.spanId, [written]);
      else if (known.includes(written)) {
        const { sha256, offset } = span.origin;
        issues.count(
          'DUPLICATE_SPAN',
          (count) => `${counted(count, 'span')} repeated byte for byte, counted once.`,
          sha256,
          offset,
        );
        ledger.setAsideLate(span.origin, REPEATED);
        continue;
      } else if (known.length < 8) known.push(written);
    }
    kept.push(span);
  }
  return kept;
}

function duplicateId({ origin }: KeptSpan, issues: IssueList): void {
  issues.count(
    'DUPLICATE_SPAN_ID',
    (count) => `${counted(count, 'span')} with the id of another span; children go to the first.`,
    origin.sha256,
    origin.offset,
  );
}

/** The spans that others name as theirs, by their ids; of one id the first. */
function namedParents(spans: readonly SpanStep[], issues: IssueList): Map<string, SpanStep> {
  const named = new Set<string>();
  for (const { span } of spans) if (span.parentId !== null) named.add(span.parentId);
  const repeated = repeatedIds(spans.map(({ span }) => span));
  const byId = new Map<string, SpanStep>();
  const seen = new Set<string>();
  for (const each of spans) {
    const { spanId } = each.span;
    if (seen.has(spanId)) {
      if (spanId !== '') duplicateId(each.span, issues);
      continue;
    }
    if (repeated.has(spanId)) seen.add(spanId);
    if (named.has(spanId)) byId.set(spanId, each);
  }
  return byId;
}

/** The spans that steps stand below, by the ids of their steps: few beside all of them. */
function parentsAmong(spans: readonly SpanStep[]): ReadonlyMap<StepId, SpanStep> {
  const named = new Set<StepId>();
  for (const { step } of spans) if (step.parentId !== null) named.add(step.parentId);
  const parents = new Map<StepId, SpanStep>();
  for (const each of spans) if (named.has(each.step.id)) parents.set(each.step.id, each);
  return parents;
}

function linkParents(spans: readonly SpanStep[], issues: IssueList): void {
  const byId = namedParents(spans, issues);
  for (const { span, step } of spans) {
    if (span.parentId === null) continue;
    const parent = byId.get(span.parentId);
    const { sha256, offset } = span.origin;
    if (parent === undefined) {
      issues.count(
        'PARENT_MISSING',
        (count) =>
          `${counted(count, 'span')} whose parent is not in the recording; they stand as roots.`,
        sha256,
        offset,
      );
    } else if (parent.step !== step) step.parentId = parent.step.id;
    else cycle(span, issues);
  }
  cutCycles(spans, issues);
}

function cycle({ origin }: KeptSpan, issues: IssueList): void {
  issues.count(
    'PARENT_CYCLE',
    (count) => `${counted(count, 'span')} that would be its own ancestor; cut off there.`,
    origin.sha256,
    origin.offset,
  );
}

function cutCycles(spans: readonly SpanStep[], issues: IssueList): void {
  const byId = parentsAmong(spans);
  const safe = new Set<StepId>();
  for (const each of spans) {
    const path = new Set<StepId>();
    let at: SpanStep | undefined = each;
    while (at !== undefined && !safe.has(at.step.id)) {
      const { step, span }: SpanStep = at;
      path.add(step.id);
      if (step.parentId !== null && path.has(step.parentId)) {
        step.parentId = null;
        cycle(span, issues);
      }
      at = step.parentId === null ? undefined : byId.get(step.parentId);
    }
    for (const id of path) safe.add(id);
  }
}

type Above = (each: SpanStep) => SpanStep | undefined;

/**
 * One call seen by several instrumentations is one call: an MCP span below the tool span that it
 * carries out becomes protocol, and gives what the outer one lacks; a model call around another
 * one is what ran it.
 */
function mergeNested(spans: readonly SpanStep[], above: Above): void {
  const outerModels = new Set<SpanStep>();
  for (const each of spans) {
    const { kind } = each;
    if (kind !== 'tool' && kind !== 'model') continue;
    let at = above(each);
    while (at !== undefined && at.step.kind === 'note') at = above(at);
    if (at === undefined || at.kind !== kind) continue;
    if (kind === 'model') outerModels.add(at);
    else if (at.step.tool === each.step.tool) mergeTool(at.step, each.step);
  }
  for (const { step, span } of outerModels) {
    step.kind = 'agent';
    step.name = firstLine(span.name, 200) || 'Model call';
  }
}

function mergeTool(outer: Step, inner: Step): void {
  inner.kind = 'protocol';
  outer.server ??= inner.server;
  const gives = [inner.arguments, inner.result].some((value) => !lacks(value));
  if (lacks(outer.arguments)) {
    outer.arguments = inner.arguments ?? outer.arguments;
    outer.summary ||= inner.summary;
  }
  if (lacks(outer.result) && !lacks(inner.result)) {
    outer.result = inner.result;
    outer.emptyResult = inner.emptyResult;
    if (outer.status === 'unknown' || outer.status === 'ok') {
      outer.status = inner.status;
      outer.statusReason = inner.statusReason;
    }
  }
  if (gives) outer.moreOrigins.push(inner.origin, ...inner.moreOrigins);
}

function countUsageOnce(spans: readonly SpanStep[], above: Above): void {
  const counted = new Set<Step>();
  for (const each of spans) {
    if (each.step.usage === null && each.step.recordedCostUsd === null) continue;
    for (let at = above(each); at !== undefined && !counted.has(at.step); at = above(at)) {
      counted.add(at.step);
    }
  }
  for (const step of counted) {
    step.usage = null;
    step.recordedCostUsd = null;
  }
}

/** By start, then as in the file; a span without a time stays behind the one before it. */
function byStart(spans: readonly SpanStep[]): SpanStep[] {
  let before = 0n;
  const keys = spans.map(({ span }) => {
    before = span.start?.ns ?? before;
    return before;
  });
  const places = Uint32Array.from(spans, (_span, place) => place);
  places.sort((a, b) => compare(keys[a] ?? 0n, keys[b] ?? 0n) || a - b);
  return Array.from(places, (place) => spans[place]).filter((each) => each !== undefined);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
