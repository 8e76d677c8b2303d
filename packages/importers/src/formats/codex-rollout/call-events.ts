import { notCaptured, type Step } from '@misstep/model';
import { cutsInText } from '../../cut-marks.ts';
import type { JsonPlace } from '../../json-place.ts';
import { firstLine } from '../../one-line.ts';
import { addOrigin, BY_ID, isEmptyAt, type Moment, summaryOfArguments } from '../../run-writer.ts';
import { verdictOfExit } from './output-text.ts';
import type { Rollout } from './rollout.ts';
import { durationOf, readCallEnd } from './tool-items.ts';

/** Begins of calls, which only the protocol's stream holds, and the member with their arguments. */
const BEGINS: ReadonlyMap<string, { name: string; given: string }> = new Map([
  ['exec_command_begin', { name: 'exec_command', given: 'command' }],
  ['mcp_tool_call_begin', { name: 'MCP call', given: 'arguments' }],
  ['patch_apply_begin', { name: 'apply_patch', given: 'changes' }],
  ['web_search_begin', { name: 'web_search', given: 'query' }],
]);

/** Reads an event that begins or ends a call; undefined where it is neither. */
export function readCallEvent(
  rollout: Rollout,
  record: JsonPlace,
  event: JsonPlace,
  type: string,
  at: Moment | null,
): string | null | undefined {
  const begin = BEGINS.get(type);
  if (begin !== undefined) {
    addBegin(rollout, record, event, begin, at);
    return null;
  }
  if (!type.endsWith('_end')) return undefined;
  const step = rollout.writer.lastCall(event.get('call_id').text());
  if (step?.status === 'unanswered' && type !== 'mcp_tool_call_end') {
    addEnd(rollout, record, event, step, at);
    return null;
  }
  return readCallEnd(rollout, record, event, type, at);
}

function addBegin(
  rollout: Rollout,
  record: JsonPlace,
  event: JsonPlace,
  begin: { name: string; given: string },
  at: Moment | null,
): void {
  const id = event.get('call_id').text();
  const known = rollout.writer.lastCall(id);
  if (known !== null) {
    addOrigin(known, record.origin());
    return;
  }
  const invocation = event.get('invocation');
  const given = (invocation.isThere ? invocation : event).get(begin.given);
  const tool = invocation.get('tool').text() ?? begin.name;
  rollout.modelCall(record, at);
  rollout.addCallName(tool);
  rollout.writer.call(record.origin(), {
    name: tool,
    server: invocation.get('server').text(),
    tool,
    callId: id,
    arguments: given.isThere ? given.value() : notCaptured('logged'),
    summary: summaryOfArguments(given),
    at,
  });
}

/** The output stands in the event alone. */
function addEnd(
  rollout: Rollout,
  record: JsonPlace,
  event: JsonPlace,
  step: Step,
  at: Moment | null,
): void {
  rollout.endOutput();
  const outputs = ['aggregated_output', 'formatted_output', 'stdout'].map((key) => event.get(key));
  const place = outputs.find((each) => each.text()) ?? event.get('stderr');
  const code = event.get('exit_code');
  const failed = event.get('success').isFalse();
  const exit = code.kind === 'number' ? verdictOfExit(Number(code.written())) : null;
  const said = firstLine(event.get('stderr').text() ?? '', 200) || 'The call failed.';
  const known = event.get('success').isTrue() || place.isThere;
  rollout.writer.takeOpen(step.callId);
  rollout.writer.answer(step, record.origin(), {
    status: exit?.status ?? (failed ? 'error' : known ? 'ok' : 'unknown'),
    reason:
      exit?.reason ?? (failed ? said : known ? null : 'The event does not say what came of it.'),
    result: place.isThere ? place.value(cutsInText(place.text() ?? '', '')) : notCaptured('logged'),
    emptyResult: isEmptyAt(place),
    at,
    pairing: BY_ID,
  });
  const durationNs = durationOf(event.get('duration'));
  if (at !== null && durationNs !== null && step.time.startedAtNs === null) {
    rollout.writer.deriveTime(step, { ...at, ns: at.ns - durationNs }, at);
  }
}
