import type { Step, StepId } from '@misstep/model';
import { ChatRun } from './chat-run.ts';
import type { RecordedTool } from './importer.ts';
import { withLangfuse } from './langfuse-facts.ts';
import { firstLine } from './one-line.ts';
import { orderSteps } from './order-steps.ts';
import { counted, type IssueList, REPEATED, type RecordLedger } from './record-ledger.ts';
import { addUntracedCalls } from './span-calls.ts';
import { meaningOf, type SpanStep } from './span-meaning.ts';
import { SpanOffers } from './span-offers.ts';
import { stepOf } from './span-step.ts';
import { StepIds } from './step-ids.ts';
import { ToolTable } from './tool-table.ts';
import { knownPlaceOf, type TraceSpan } from './trace-span.ts';

export interface TraceSteps {
  readonly steps: Step[];
  readonly spans: readonly SpanStep[];
  readonly tools: RecordedTool[];
}

/**
 * The spans of one trace as steps in execution order. Spans may come in any order; a parent that
 * isn't there is told and its children become roots; cycles are cut; a span that is there twice,
 * byte for byte, counts once. Usage counts where it was spent, not again at the spans above.
 */
export function stepsOfSpans(
  given: readonly TraceSpan[],
  issues: IssueList,
  ledger: RecordLedger,
): TraceSteps {
  const ids = new StepIds();
  const spans = dropRepeated(given, issues, ledger).map((each): SpanStep => {
    const span = withLangfuse(each);
    const meaning = meaningOf(span);
    return {
      span,
      meaning,
      step: stepOf(span, meaning, ids.at(knownPlaceOf(span).origin.offset), issues),
    };
  });
  const byId = new Map<string, SpanStep>();
  for (const each of spans) {
    if (!byId.has(each.span.spanId)) byId.set(each.span.spanId, each);
    else if (each.span.spanId !== '') duplicateId(each.span, issues);
  }
  linkParents(spans, byId, issues);
  const parents = new Map(spans.map((each) => [each.step.id, each]));
  const above = (each: SpanStep): SpanStep | undefined =>
    each.step.parentId === null ? undefined : parents.get(each.step.parentId);
  mergeNested(spans, above);
  countUsageOnce(spans, above);
  const sorted = byStart(spans);
  const run = new ChatRun(issues, ids);
  const streams = addUntracedCalls(sorted, run, above);
  return { steps: orderSteps([streams]), spans: sorted, tools: toolsOf(sorted) };
}

function toolsOf(spans: readonly SpanStep[]): RecordedTool[] {
  const offers = new SpanOffers();
  const tools = new ToolTable();
  for (const { span, meaning } of spans) {
    if (meaning.kind !== 'model' && meaning.kind !== 'agent') continue;
    for (const tool of offers.of(span)) tools.add(tool);
  }
  return tools.list();
}

function dropRepeated(
  spans: readonly TraceSpan[],
  issues: IssueList,
  ledger: RecordLedger,
): TraceSpan[] {
  const seen = new Map<string, string[]>();
  return spans.filter((span) => {
    const known = seen.get(span.spanId);
    const written = span.record.written;
    if (known === undefined) seen.set(span.spanId, [written]);
    else if (known.includes(written)) {
      const { sha256, offset } = span.record.origin;
      issues.count(
        'DUPLICATE_SPAN',
        (count) => `${counted(count, 'span')} repeated byte for byte, counted once.`,
        sha256,
        offset,
      );
      ledger.setAsideLate(span.record.origin, REPEATED);
      return false;
    } else if (known.length < 8) known.push(written);
    return true;
  });
}

function duplicateId({ record }: TraceSpan, issues: IssueList): void {
  issues.count(
    'DUPLICATE_SPAN_ID',
    (count) => `${counted(count, 'span')} with the id of another span; children go to the first.`,
    record.origin.sha256,
    record.origin.offset,
  );
}

function linkParents(
  spans: readonly SpanStep[],
  byId: ReadonlyMap<string, SpanStep>,
  issues: IssueList,
): void {
  for (const { span, step } of spans) {
    if (span.parentId === null) continue;
    const parent = byId.get(span.parentId);
    const { sha256, offset } = span.record.origin;
    if (parent === undefined) {
      issues.count(
        'PARENT_MISSING',
        (count) =>
          `${counted(count, 'span')} whose parent is not in the file; they stand as roots.`,
        sha256,
        offset,
      );
    } else if (parent.step !== step) step.parentId = parent.step.id;
    else cycle(span, issues);
  }
  cutCycles(spans, issues);
}

function cycle({ record }: TraceSpan, issues: IssueList): void {
  issues.count(
    'PARENT_CYCLE',
    (count) => `${counted(count, 'span')} that would be its own ancestor; cut off there.`,
    record.origin.sha256,
    record.origin.offset,
  );
}

function cutCycles(spans: readonly SpanStep[], issues: IssueList): void {
  const byId = new Map(spans.map((each) => [each.step.id, each]));
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
    const { kind } = each.meaning;
    if (kind !== 'tool' && kind !== 'model') continue;
    let at = above(each);
    while (at !== undefined && at.step.kind === 'note') at = above(at);
    if (at === undefined || at.meaning.kind !== kind) continue;
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
  const gives = [inner.arguments, inner.result].some(
    (value) => value !== null && value.state !== 'notCaptured',
  );
  if (outer.arguments === null || outer.arguments.state === 'notCaptured') {
    outer.arguments = inner.arguments ?? outer.arguments;
    outer.summary ||= inner.summary;
  }
  if (outer.result === null && inner.result !== null) {
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
  const keyed = spans.map((each, index) => {
    before = each.span.start?.ns ?? before;
    return { each, index, key: before };
  });
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.index - b.index));
  return keyed.map(({ each }) => each);
}
