import type { Step, StepId } from '@misstep/model';
import { verdictOfAnswer } from './call-verdict.ts';
import type { ChatCall, ChatMessage } from './chat-parts.ts';
import { type ChatRun, setResult, summaryOf } from './chat-run.ts';
import { inferSpans } from './infer-call-ids.ts';
import type { JsonView } from './json-view.ts';
import type { KeptSpan } from './kept-span.ts';
import { addTo } from './multi-map.ts';
import { counted } from './record-ledger.ts';
import type { TraceIds } from './source-places.ts';
import { meaningOf, type SpanStep, wholeOf } from './span-meaning.ts';
import { becomeTool, lacks } from './span-step.ts';
import { splitToolName } from './tool-name.ts';

/**
 * Tool calls that only the messages of model spans show, because nothing traced the tools: they
 * become steps behind the model call that asked for them, answered by what a later model call was
 * given. Where the root of the trace isn't in the source (yet), the spans of the tools may still
 * come: then the calls are only told. Returns all steps in order.
 */
export async function addUntracedCalls(
  spans: readonly SpanStep[],
  run: ChatRun,
  above: (each: SpanStep) => SpanStep | undefined,
  ids: TraceIds,
): Promise<Step[]> {
  // Where no model was asked nothing is looked for, however many calls there are.
  if (!spans.some(({ step }) => step.kind === 'model')) return spans.map(({ step }) => step);
  const traced = new Map<string, SpanStep[]>();
  const tracedByName = new Map<string, SpanStep[]>();
  for (const each of spans) {
    const { kind, callId, step } = each;
    if (kind !== 'tool' || step.kind !== 'tool') continue;
    if (callId !== null) {
      addTo(traced, callId, each);
    } else if (step.tool !== null) {
      addTo(tracedByName, step.tool, each);
    }
  }
  // A span that is called as the tool and says no more of itself is the tool's.
  const unnamed = new Map<string, SpanStep[]>();
  for (const each of spans) {
    if (each.step.kind !== 'note') continue;
    addTo(unnamed, each.span.name, each);
  }
  const renamed = new Map<StepId, StepId>();
  const steps: Step[] = [];
  const open = new Map<string, Step>();
  const lacking = new Map<string, Step>();
  for (const [index, each] of spans.entries()) {
    const { step, span } = each;
    const isModel = step.kind === 'model';
    const mayAnswer =
      open.size + lacking.size > 0 && (each.kind === 'model' || each.kind === 'agent');
    const meaning =
      each.kind === 'model' || isModel || mayAnswer ? meaningOf(await wholeOf(span)) : null;
    if (meaning !== null) {
      answer(open, meaning.inputs, run, span.origin);
      giveResults(lacking, meaning.inputs, span.origin);
    }
    steps.push(step);
    if (meaning === null || (each.kind !== 'model' && !isModel)) continue;
    const asked = meaning.outputs.flatMap(({ calls }) => calls);
    const unknown = asked.filter(({ id }) => !traced.has(id ?? ''));
    for (const [call, own] of await inferSpans(unknown, withoutIds(spans, index))) {
      const list = tracedByName.get(own.step.tool ?? '');
      const at = list?.indexOf(own) ?? -1;
      // A call before this one may have taken it by its name.
      if (at < 0) continue;
      list?.splice(at, 1);
      own.step.callId = call.id;
      tellInferred(run, own.step.origin);
      addTo(traced, call.id ?? '', own);
    }
    if (!isModel) continue;
    let ordinal = 0;
    for (const message of meaning.outputs) {
      for (const call of message.calls) {
        ordinal += 1;
        const id = ids.idAt(span.knownAt, ordinal);
        const known = call.id === null ? undefined : traced.get(call.id);
        const own = known === undefined ? takeByName(tracedByName, call.name) : known.shift();
        const tool = own?.step;
        // The call was told before its span came: a source that grows keeps the step's id.
        const knownAt = own === undefined ? 0 : own.span.knownAt;
        if (tool !== undefined && knownAt > toldAt(span, call.place, ids)) {
          renamed.set(tool.id, id);
        }
        if (tool !== undefined && known !== undefined && call.id !== null) {
          giveArguments(tool, call, span.origin);
          if (lacks(tool.result)) lacking.set(call.id, tool);
        }
        if (tool !== undefined || known !== undefined) continue;
        const called = unnamed.get(call.name)?.shift();
        if (called !== undefined) {
          await becomeTool(called, call.name, call.id);
          if (ids.at(called.step.origin) > span.firstAt) {
            renamed.set(called.step.id, id);
          }
          continue;
        }
        if (!hasRoot(each, above)) {
          tellUntraced(run, span.origin);
          continue;
        }
        const made = run.addCall(call, span.origin);
        made.id = id;
        made.parentId = step.parentId;
        made.statusReason = 'No span was recorded for the call and no later message answers it.';
        steps.push(made);
        if (call.id !== null) open.set(call.id, made);
      }
    }
  }
  for (const step of steps) {
    step.id = renamed.get(step.id) ?? step.id;
    if (step.parentId !== null) step.parentId = renamed.get(step.parentId) ?? step.parentId;
  }
  return steps;
}

/** Tool spans that follow a model call and hold no id, up to the next model call. */
function withoutIds(spans: readonly SpanStep[], from: number): SpanStep[] {
  const found: SpanStep[] = [];
  // A client and what instruments the API below it both trace one call of the model.
  const same = new Set<StepId | null | undefined>([spans[from]?.step.id]);
  for (let at = from + 1; at < spans.length; at += 1) {
    const each = spans[at];
    if (each === undefined) break;
    if (same.has(each.step.parentId)) same.add(each.step.id);
    else if (each.step.kind === 'model') break;
    if (each.kind === 'tool' && each.callId === null) found.push(each);
  }
  return found;
}

function tellInferred({ issues }: ChatRun, { sha256, offset }: Step['origin']): void {
  issues.count(
    'CALL_ID_INFERRED',
    (count) =>
      `${counted(count, 'tool call')} recorded without an id: the id is that of the one call that the model asked for there by that name, or with those arguments.`,
    sha256,
    offset,
  );
}

/** Spans without an id go by their order; what is called `mcp__server__tool` may be traced as either. */
function takeByName(traced: ReadonlyMap<string, SpanStep[]>, called: string): SpanStep | undefined {
  const whole = traced.get(called)?.shift();
  if (whole !== undefined) return whole;
  const { server, tool } = splitToolName(called);
  const list = traced.get(tool) ?? [];
  const at = list.findIndex(({ step }) => step.server === null || step.server === server);
  return at < 0 ? undefined : list.splice(at, 1)[0];
}

function hasRoot(of: SpanStep, above: (each: SpanStep) => SpanStep | undefined): boolean {
  let root = of;
  for (let at = above(of); at !== undefined; at = above(at)) root = at;
  return root.span.parentId === null && !root.span.isOnlyLogged;
}

function tellUntraced({ issues }: ChatRun, { sha256, offset }: Step['origin']): void {
  issues.count(
    'CALL_NOT_TRACED',
    (count) =>
      `${counted(count, 'tool call')} in messages of models without a span; the root of the trace is not in the recording, so the spans may be elsewhere.`,
    sha256,
    offset,
  );
}

function answer(
  open: Map<string, Step>,
  messages: readonly ChatMessage[],
  run: ChatRun,
  origin: Step['origin'],
): void {
  if (open.size === 0) return;
  for (const message of messages) {
    for (const result of message.results) {
      const call = result.callId === null ? undefined : open.get(result.callId);
      if (call === undefined || result.callId === null) continue;
      open.delete(result.callId);
      run.settle(call, result);
      call.pairing = { by: 'id', derived: false };
      call.moreOrigins.push(origin);
    }
  }
}

/** A tool's span mostly holds no content; what the model wrote under the call's id are its arguments. */
function giveArguments(tool: Step, call: ChatCall, origin: Step['origin']): void {
  if (call.arguments === undefined || !lacks(tool.arguments)) return;
  tool.arguments = call.arguments.value('logged');
  if (tool.summary === '') tool.summary = summaryOf(call.arguments);
  tool.moreOrigins.push(origin);
}

/** And what a later model call was given under that id is what came back. The span's times stay. */
function giveResults(
  lacking: Map<string, Step>,
  messages: readonly ChatMessage[],
  origin: Step['origin'],
): void {
  if (lacking.size === 0) return;
  for (const { callId, content, isError } of messages.flatMap(({ results }) => results)) {
    const tool = callId === null ? undefined : lacking.get(callId);
    if (tool === undefined || callId === null || content === undefined) continue;
    lacking.delete(callId);
    setResult(tool, content);
    tool.moreOrigins.push(origin);
    if (tool.status !== 'unknown') continue;
    const { status, statusReason } = verdictOfAnswer(content, isError);
    tool.status = status;
    tool.statusReason = statusReason;
  }
}

/** Where a call was told: with its span, or in a log record, which comes when it comes. */
function toldAt(span: KeptSpan, { origin }: JsonView, ids: TraceIds): number {
  const { sha256, offset, length } = span.origin;
  const isInSpan =
    origin.sha256 === sha256 && origin.offset >= offset && origin.offset < offset + length;
  return isInSpan ? span.firstAt : ids.at(origin);
}
