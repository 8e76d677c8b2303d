import type { Step, StepId } from '@misstep/model';
import { isEmptyPlace, saysIsError, verdictOfAnswer } from './call-verdict.ts';
import { textAttribute } from './span-attributes.ts';
import { meaningOf, type SpanMeaning, type SpanStep, wholeOf } from './span-meaning.ts';
import { makeStep } from './step-builder.ts';
import { firstPlaceOf, type TraceSpan } from './trace-span.ts';

/** The step of a span. */
export function stepOf(span: TraceSpan, meaning: SpanMeaning, id: StepId): Step {
  const { start, end } = span;
  const origin = firstPlaceOf(span);
  const { kind, name, server, tool, callId, model, content, usage, recordedCostUsd, summary } =
    meaning;
  const isCall = kind === 'tool' || kind === 'protocol';
  const step = makeStep({
    id,
    evidence: 'logged',
    origin,
    moreOrigins: [...(span.moreRecords ?? [])],
    kind,
    name,
    server,
    tool,
    callId,
    model,
    content: [...content],
    usage,
    recordedCostUsd,
    summary,
    arguments: meaning.arguments,
    result: meaning.result,
    emptyResult: meaning.resultPlace === null ? null : isEmptyPlace(meaning.resultPlace),
    // A span is both ends of a call: nothing had to be paired.
    pairing: isCall ? { by: 'id', derived: false } : null,
    time: {
      startedAtNs: start?.ns ?? null,
      endedAtNs: end?.ns ?? null,
      startedAtText: start?.text ?? null,
      endedAtText: end?.text ?? null,
      evidence: 'logged',
    },
  });
  return Object.assign(step, statusOf(span, meaning));
}

function statusOf(span: TraceSpan, meaning: SpanMeaning): Pick<Step, 'status' | 'statusReason'> {
  const { kind, resultPlace } = meaning;
  const errorType = textAttribute(span.attributes, 'error.type');
  // A call may state its error by its type alone: tracers leave the status to whoever looks.
  const failed = span.status === 'unset' && errorType !== null && kind !== 'note';
  if (span.status === 'error' || failed) {
    const isProtocol = kind === 'protocol' || hasRpcError(span);
    const status = isProtocol ? 'protocolError' : 'error';
    return { status, statusReason: span.statusMessage ?? errorType };
  }
  if (kind === 'note') return { status: 'none', statusReason: null };
  if (resultPlace !== null) {
    const isError = saysIsError(resultPlace) || (span.status === 'ok' ? false : null);
    return verdictOfAnswer(resultPlace, isError);
  }
  if (span.status === 'ok') return { status: 'ok', statusReason: null };
  if (span.end === null) {
    return { status: 'unanswered', statusReason: 'The span never ended.' };
  }
  const holds = meaning.content.some(({ value }) => value.state !== 'notCaptured');
  if (meaning.outputs.length > 0 || holds) {
    return { status: 'ok', statusReason: null };
  }
  return {
    status: 'unknown',
    statusReason:
      span.isOnlyLogged === true
        ? 'Only log records tell of the span; none says how it ended.'
        : 'The span ended without an error; it holds neither a status nor a result.',
  };
}

/** True where an MCP call was answered with a JSON-RPC error, not with a result that says isError. */
function hasRpcError({ attributes }: TraceSpan): boolean {
  const code = textAttribute(attributes, 'rpc.response.status_code') ?? '';
  return attributes.has('mcp.method.name') && /^-?[1-9]\d*$/.test(code);
}

/** A span that turns out to be a call of this tool: its step says so from now on. */
export async function becomeTool(
  { span: kept, step }: SpanStep,
  tool: string,
  callId: string | null,
): Promise<void> {
  const span = await wholeOf(kept);
  const stated = { ...span.stated, kind: 'tool' as const, tool };
  const meaning = meaningOf({ ...span, stated });
  step.kind = 'tool';
  step.name = meaning.name;
  step.tool = meaning.tool;
  step.server = meaning.server;
  step.callId = meaning.callId ?? callId;
  step.arguments = meaning.arguments;
  step.result = meaning.result;
  step.emptyResult = meaning.resultPlace === null ? null : isEmptyPlace(meaning.resultPlace);
  step.content = [];
  step.summary = meaning.summary;
  step.pairing = { by: 'id', derived: false };
  Object.assign(step, statusOf(span, meaning));
}

/** True where a span holds nothing of a value, which another place may. */
export function lacks(value: Step['result']): boolean {
  return value === null || value.state === 'notCaptured';
}
