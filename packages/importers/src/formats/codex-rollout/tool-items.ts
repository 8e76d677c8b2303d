import { type CapturedValue, notCaptured, type Step } from '@misstep/model';
import { feesOfItems } from '../../chat-usage.ts';
import { cutsInText } from '../../cut-marks.ts';
import type { JsonPlace } from '../../json-place.ts';
import { firstLine } from '../../one-line.ts';
import { addOrigin, BY_ID, isEmptyAt, type Moment, summaryOfArguments } from '../../run-writer.ts';
import { decimalToNs } from '../../source-time.ts';
import { splitToolName } from '../../tool-name.ts';
import { durationOfOutput, verdictOfExit, verdictOfOutput } from './output-text.ts';
import type { Rollout } from './rollout.ts';

/** Items that are a call, and the member that holds its arguments. */
const ARGUMENTS: ReadonlyMap<string, string> = new Map([
  ['function_call', 'arguments'],
  ['custom_tool_call', 'input'],
  ['local_shell_call', 'action'],
  ['web_search_call', 'action'],
  ['tool_search_call', 'arguments'],
  ['image_generation_call', 'revised_prompt'],
]);

const OUTPUTS: ReadonlySet<string> = new Set([
  'function_call_output',
  'custom_tool_call_output',
  'local_shell_call_output',
  'tool_search_output',
]);

/** Reads an item that is a call or an output; undefined where it is neither. */
export function readToolItem(
  rollout: Rollout,
  record: JsonPlace,
  item: JsonPlace,
  type: string,
  at: Moment | null,
): string | null | undefined {
  const argumentKey = ARGUMENTS.get(type);
  if (argumentKey !== undefined) {
    addCall(rollout, record, item, { type, argumentKey }, at);
    return null;
  }
  return OUTPUTS.has(type) ? addOutput(rollout, record, item, at) : undefined;
}

function addCall(
  rollout: Rollout,
  record: JsonPlace,
  item: JsonPlace,
  { type, argumentKey }: { type: string; argumentKey: string },
  at: Moment | null,
): void {
  const written = item.get('name').text() ?? type.replace(/_call$/, '');
  const named = splitToolName(nameIn(item.get('namespace').text(), written));
  const given = item.get(argumentKey);
  rollout.modelCall(record, at);
  rollout.addCallName(named.tool);
  const step = rollout.writer.call(record.origin(), {
    name: named.tool,
    server: named.server,
    tool: named.tool,
    callId: item.get('call_id').text(),
    arguments: given.isThere ? given.value() : notCaptured('logged'),
    summary: summaryOfArguments(given),
    at,
  });
  if (item.view !== undefined && feesOfItems([item.view]) > 0) rollout.addFee();
  const result = item.get('result');
  if (type === 'web_search_call' || (type === 'image_generation_call' && !result.isThere)) {
    const reason = 'The rollout keeps no result of this kind of call.';
    rollout.writer.settle(step, 'unknown', reason);
    step.result = notCaptured('logged');
  } else if (type === 'image_generation_call') {
    rollout.writer.answer(step, null, {
      status: 'ok',
      result: result.value(),
      at: null,
      pairing: BY_ID,
    });
  }
}

/** Servers are namespaces of tools: `mcp__server__` in some versions, `mcp__server` in others. */
function nameIn(namespace: string | null, name: string): string {
  if (namespace?.startsWith('mcp__') !== true) return name;
  return namespace.endsWith('__') ? `${namespace}${name}` : `${namespace}__${name}`;
}

function addOutput(
  rollout: Rollout,
  record: JsonPlace,
  item: JsonPlace,
  at: Moment | null,
): string | null {
  rollout.endOutput();
  const id = item.get('call_id').text();
  const step = rollout.writer.takeOpen(id);
  if (step === null) {
    const answered = rollout.writer.lastCall(id);
    if (answered === null) return 'an output whose call is not in the file';
    // The tool's own result was read from the event; this is what the model was shown of it.
    addOrigin(answered, record.origin());
    return null;
  }
  const { place, text, value } = outputOf(item);
  const failed = item.get('output').get('success').isFalse();
  const said = verdictOfOutput(text);
  const verdict =
    failed && said.status === 'ok'
      ? ({ status: 'error', reason: firstLine(text, 200) } as const)
      : said;
  rollout.writer.answer(step, record.origin(), {
    ...verdict,
    result: value,
    emptyResult: isEmptyAt(place),
    at,
    pairing: BY_ID,
  });
  const durationNs = durationOfOutput(text);
  // Versions that write a call and its output together stamp both alike; the output says how long it took.
  if (at !== null && durationNs !== null && step.time.startedAtNs === at.ns) {
    rollout.writer.deriveTime(step, { ...at, ns: at.ns - durationNs }, at);
    step.time.startedAtText = null;
  }
  const agentId = /"agent_id"\s*:\s*"([^"\\]{1,100})"/.exec(text.slice(0, 2000))?.[1];
  if (agentId !== undefined) rollout.agents.set(agentId, step);
  return null;
}

/** An output is a text, content items, or (in old files) an object around a text. */
function outputOf(item: JsonPlace): { place: JsonPlace; text: string; value: CapturedValue } {
  const output = item.get('output');
  const tools = item.get('tools');
  const whole = output.isThere ? output : tools;
  const inner = output.get('content');
  const place = inner.kind === 'string' ? inner : whole;
  if (!place.isThere) return { place, text: '', value: notCaptured('logged') };
  const own = place.text();
  if (own !== null) return { place, text: own, value: place.value(cutsInText(own, '')) };
  const texts = place.items().map((part) => part.get('text').text() ?? '');
  const cuts = texts.flatMap((text, index) => cutsInText(text, `/${index}/text`));
  return { place, text: texts.join('\n'), value: place.value(cuts) };
}

/** What an event that ends a call adds to it: the tool's own result, its server, its duration. */
export function readCallEnd(
  rollout: Rollout,
  record: JsonPlace,
  event: JsonPlace,
  type: string,
  at: Moment | null,
): string | null {
  const id = callIdOf(event);
  const step = rollout.writer.lastCall(id);
  if (type === 'mcp_tool_call_end' || type === 'McpToolCall') {
    addMcpEnd(rollout, record, event, step, at);
    return null;
  }
  if (step === null) return null;
  addOrigin(step, record.origin());
  const code = event.get('exit_code');
  if (code.kind === 'number' && step.status === 'ok') {
    const verdict = verdictOfExit(Number(code.written()));
    step.status = verdict.status;
    step.statusReason = verdict.reason;
  }
  const agentId = event.get('new_thread_id').text();
  if (agentId !== null) rollout.agents.set(agentId, step);
  return null;
}

/** Events name the call; items, which newer versions write in their place, are called by its id. */
function callIdOf(event: JsonPlace): string | null {
  return event.get('call_id').text() ?? event.get('id').text();
}

function addMcpEnd(
  rollout: Rollout,
  record: JsonPlace,
  event: JsonPlace,
  known: Step | null,
  at: Moment | null,
): void {
  const invocation = event.get('invocation').isThere ? event.get('invocation') : event;
  const server = invocation.get('server').text();
  const tool = invocation.get('tool').text();
  const id = callIdOf(event);
  const given = invocation.get('arguments');
  const step =
    known ??
    rollout.writer.call(record.origin(), {
      name: tool ?? 'MCP call',
      callId: id,
      arguments: given.isThere ? given.value() : null,
      summary: summaryOfArguments(given),
      at,
    });
  rollout.writer.takeOpen(id);
  step.server = server ?? step.server;
  step.tool = tool ?? step.tool;
  if (tool !== null) step.name = firstLine(tool, 200) || step.name;
  const result = event.get('result');
  // Some versions write the result without saying that it is one.
  const ok = result.get('Ok').isThere || !result.get('content').isThere ? result.get('Ok') : result;
  const error = result.get('Err').isThere ? result.get('Err') : event.get('error');
  const place = ok.isThere ? ok : error;
  rollout.writer.answer(step, record.origin(), {
    ...verdictOfMcp(ok, error),
    result: place.isThere ? place.value() : notCaptured('logged'),
    emptyResult: ok.isThere ? isEmptyAt(ok) : null,
    at: null,
    pairing: BY_ID,
  });
  const durationNs = durationOf(event.get('duration'));
  if (at === null) return;
  if (durationNs === null) {
    rollout.writer.endAt(step, at);
    return;
  }
  rollout.writer.deriveTime(step, { ...at, ns: at.ns - durationNs }, at);
  step.time.startedAtText = null;
}

function verdictOfMcp(
  ok: JsonPlace,
  error: JsonPlace,
): Pick<Step, 'status'> & { reason: string | null } {
  if (ok.isThere) {
    const isError = ok.get('isError').isTrue() || ok.get('is_error').isTrue();
    const said = ok.get('content').items()[0]?.get('text').text() ?? '';
    return isError
      ? { status: 'error', reason: firstLine(said, 200) || 'The result is an error.' }
      : { status: 'ok', reason: null };
  }
  if (!error.isThere) return { status: 'unknown', reason: 'The event holds no result.' };
  const said = error.text() ?? error.get('message').text() ?? error.written() ?? '';
  const rejected = /^"?user (?:rejected|cancelled) MCP tool call/i.test(said);
  return { status: rejected ? 'rejected' : 'protocolError', reason: firstLine(said, 200) };
}

/** `{"secs":1,"nanos":5}`. */
export function durationOf(place: JsonPlace): bigint | null {
  const seconds = decimalToNs(place.get('secs').written() ?? '', 's');
  const nanos = decimalToNs(place.get('nanos').written() ?? '0', 'ns');
  return seconds === null || nanos === null ? null : seconds + nanos;
}
