import type { Origin, Step } from '@misstep/model';
import type { ApiExchange, ExchangeTimes } from './api-exchange.ts';
import type { ChatMessage } from './chat-parts.ts';
import { type ChatRun, partOf } from './chat-run.ts';
import { firstLine } from './one-line.ts';
import type { SpanTime } from './trace-span.ts';

/**
 * An answer that is known from a later request which repeats it: what its own record says of it, its tokens
 * and times too, goes to the step that is there.
 */
export function tellRecorded(
  step: Step,
  calls: readonly Step[],
  answer: ChatMessage,
  { model, usage, recordedCostUsd, answerId }: ApiExchange,
  times: ExchangeTimes,
  record: Origin,
): void {
  step.moreOrigins.push(record);
  step.model ??= model;
  step.usage ??= usage;
  step.recordedCostUsd ??= recordedCostUsd;
  step.callId ??= answerId;
  // What the model thought is left out of later requests.
  if (answer.parts.length > step.content.length) step.content = answer.parts.map(partOf);
  if (times.startedAt || times.endedAt) step.time = { ...timeOf(times), evidence: 'logged' };
  for (const call of calls) beganBy(call, times.endedAt ?? times.startedAt ?? null);
}

/** What the step tells was there at this time: it began no later. */
export function beganBy(step: Step | null | undefined, at: SpanTime | null): void {
  if (!step || at?.ns == null || step.time.evidence !== 'derived') return;
  const { startedAtNs } = step.time;
  if (startedAtNs === null || startedAtNs <= at.ns) return;
  step.time.startedAtNs = at.ns;
  step.time.startedAtText = at.text;
}

/** A request that holds the call's result was made at this time: the call ended no later. */
export function endedBy(call: Step | null, at: SpanTime | null): void {
  if (call === null || at?.ns == null) return;
  const { endedAtNs } = call.time;
  if (endedAtNs === null || endedAtNs <= at.ns) return;
  call.time.endedAtNs = at.ns;
  call.time.endedAtText = at.text;
}

export function addFailure(
  run: ChatRun,
  status: 'error' | 'unanswered' | 'unknown',
  error: string,
  origin: Origin,
  times: ExchangeTimes,
): Step {
  return run.step(origin, {
    kind: 'model',
    name: 'Model call',
    status,
    statusReason: firstLine(error, 200),
    summary: firstLine(error),
    time: { ...timeOf(times), evidence: 'logged' },
  });
}

function timeOf({ startedAt, endedAt }: ExchangeTimes): Omit<Step['time'], 'evidence'> {
  return {
    startedAtNs: startedAt?.ns ?? null,
    endedAtNs: endedAt?.ns ?? null,
    startedAtText: startedAt?.text ?? null,
    endedAtText: endedAt?.text ?? null,
  };
}
