import { notCaptured, type Origin, type Step, type Usage } from '@misstep/model';
import { cutsInResult } from '../../cut-marks.ts';
import type { JsonPlace } from '../../json-place.ts';
import type { JsonView } from '../../json-view.ts';
import { firstLine } from '../../one-line.ts';
import { NO_CONTENT, type RecordFate } from '../../record-ledger.ts';
import {
  type Answer,
  BY_ID,
  isEmptyAt,
  type Moment,
  momentAt,
  type RunWriter,
  summaryOfArguments,
  textPart,
} from '../../run-writer.ts';

/** Below this a number of milliseconds is no time since 1970 (the year 2001) but since a start. */
const FIRST_MS = 1e12;

/** The capability that marks where a conversation was compacted. */
const COMPACTION = '22';

/** Turns one bubble (an entry of a Cursor conversation) into steps. */
export function addBubble(writer: RunWriter, record: Origin, bubble: JsonPlace): RecordFate {
  const { length } = writer.steps;
  const timing = bubble.get('timingInfo');
  const start =
    timeAt(bubble.get('createdAt')) ??
    timeAt(timing.get('clientRpcSendTime')) ??
    timeAt(timing.get('clientStartTime'));
  const end = timeAt(timing.get('clientEndTime')) ?? timeAt(timing.get('clientSettleTime'));
  const text = textOf(bubble);
  const said = text.text() ?? '';
  const type = bubble.get('type').written();
  if (type === '1' || bubble.get('type').text() === 'user') {
    if (said !== '') writer.userTurn(record, start, [textPart(text)], said);
    return writer.steps.length > length ? null : NO_CONTENT;
  }
  if (bubble.get('capabilityType').written() === COMPACTION) {
    writer.step(record, start, {
      kind: 'context',
      name: 'Context compacted',
      content: said === '' ? [] : [textPart(text)],
      summary: 'What was said before was cut for the model',
    });
    return null;
  }
  const model = addModelStep(writer, record, bubble, start);
  const call = bubble.get('toolFormerData');
  if (call.get('name').text() !== null || call.get('tool').isThere) {
    addCall(writer, record, call, start, end);
  } else if (model !== null && end !== null) writer.endAt(model, end);
  return writer.steps.length > length ? null : NO_CONTENT;
}

function addModelStep(
  writer: RunWriter,
  record: Origin,
  bubble: JsonPlace,
  at: Moment | null,
): Step | null {
  const text = textOf(bubble);
  const said = text.text() ?? '';
  const thoughts = [bubble.get('thinking').get('text'), bubble.get('thinking')].filter(
    (each) => (each.text() ?? '') !== '',
  );
  const usage = usageOf(bubble.get('tokenCount'));
  if (said === '' && thoughts.length === 0 && usage === null) return null;
  const model = bubble.get('modelInfo').get('modelName').text();
  writer.model ??= model;
  const called = bubble.get('toolFormerData').get('name').text();
  const step = writer.step(record, at, {
    kind: 'model',
    name: 'Model call',
    model: model ?? writer.model,
    callId: bubble.get('bubbleId').text(),
    usage,
    summary: firstLine(said) || (thoughts.length > 0 ? '(thinking)' : `calls ${called ?? ''}`),
  });
  for (const thought of thoughts) step.content.push(textPart(thought, 'thinking'));
  if (said !== '') step.content.push(textPart(text));
  return step;
}

/** Tools that start an agent, whose conversation is one of its own. */
const AGENT_TOOL = /^task(?:_v\d+)?$/;

function addCall(
  writer: RunWriter,
  record: Origin,
  call: JsonPlace,
  start: Moment | null,
  end: Moment | null,
): void {
  const name = call.get('name').text() ?? `tool ${call.get('tool').written() ?? ''}`;
  const params = call.get('params');
  const raw = call.get('rawArgs');
  const given = (raw.text() ?? '') === '' && raw.kind !== 'object' ? params : raw;
  const mcp = mcpTool(params.view);
  const step = writer.call(record, {
    name: mcp?.tool ?? name,
    server: mcp?.server ?? null,
    kind: AGENT_TOOL.test(name) ? 'agent' : 'tool',
    callId: call.get('toolCallId').text(),
    arguments: given.isThere ? given.value() : notCaptured('logged'),
    summary: summaryOfArguments(given),
    at: start,
  });
  const result = call.get('result');
  const hasResult = result.isThere && result.text() !== '';
  const verdict = verdictOf(call, hasResult);
  if (verdict === null) {
    const status = firstLine(call.get('status').text() ?? 'nothing', 60);
    step.statusReason = `Recorded as "${status}": it never ended.`;
    return;
  }
  writer.answer(step, null, {
    ...verdict,
    result: hasResult ? result.value(cutsInResult(result.view)) : notCaptured('logged'),
    emptyResult: hasResult ? isEmptyAt(result) : null,
    at: end,
    pairing: BY_ID,
  });
}

/** Of MCP calls the parameters name the server and its tool; the call's own name runs them together. */
function mcpTool(params: JsonView | undefined): { server: string; tool: string } | null {
  const read = params?.text === null ? params : params?.inner();
  const first = read?.get('tools')?.items[0];
  const server = first?.get('serverName')?.text ?? '';
  const tool = first?.get('name')?.text ?? '';
  return server === '' || tool === '' ? null : { server, tool };
}

function verdictOf(call: JsonPlace, hasResult: boolean): Pick<Answer, 'status' | 'reason'> | null {
  const status = call.get('status').text();
  const error = call.get('error');
  const said = firstLine(error.text() ?? error.get('clientVisibleErrorMessage').text() ?? '', 200);
  if (call.get('userDecision').text() === 'rejected') {
    return { status: 'rejected', reason: 'The person rejected the call.' };
  }
  if (status === 'error') return { status: 'error', reason: said || 'The call failed.' };
  if (status === 'cancelled') return { status: 'cancelled', reason: said || null };
  if (status !== 'completed') return null;
  return hasResult
    ? { status: 'ok', reason: null }
    : { status: 'unknown', reason: 'Recorded as completed, but without its output.' };
}

function textOf(bubble: JsonPlace): JsonPlace {
  const text = bubble.get('text');
  return (text.text() ?? '') === '' ? bubble.get('rawText') : text;
}

/** Zeros stand where nothing was counted. */
function usageOf(tokens: JsonPlace): Usage | null {
  const inputTokens = tokens.get('inputTokens').count();
  const outputTokens = tokens.get('outputTokens').count();
  if ((inputTokens ?? 0) + (outputTokens ?? 0) === 0) return null;
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: null,
    cacheWriteTokens: null,
    inputExcludesCache: false,
  };
}

function timeAt(place: JsonPlace): Moment | null {
  const written = place.kind === 'number' ? Number(place.written()) : FIRST_MS;
  return written < FIRST_MS ? null : momentAt(place);
}
