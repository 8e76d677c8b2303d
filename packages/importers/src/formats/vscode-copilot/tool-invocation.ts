import { notCaptured, type Step } from '@misstep/model';
import { cutsInResult } from '../../cut-marks.ts';
import type { JsonPlace } from '../../json-place.ts';
import { firstLine } from '../../one-line.ts';
import { BY_ID, isEmptyAt, type RunWriter, summaryOfArguments } from '../../run-writer.ts';
import { type RoundCall, takeRoundCall } from './round-calls.ts';

/** Adds a call of the response; `calls` are those of the request's rounds in order. */
export function addInvocation(
  writer: RunWriter,
  request: JsonPlace,
  part: JsonPlace,
  calls: readonly RoundCall[],
): Step {
  const toolId = part.get('toolId').text() ?? '';
  const made = takeRoundCall(part, calls);
  const given = argumentsOf(part, made);
  const source = part.get('source');
  const isMcp = source.get('type').text() === 'mcp';
  const tool = isMcp ? toolNameOf(part, toolId) : toolId;
  const specific = part.get('toolSpecificData');
  const isAgent = specific.get('kind').text() === 'subagent';
  const step = writer.call(request.origin(), {
    kind: isAgent ? 'agent' : 'tool',
    name: (isAgent ? specific.get('agentName').text() : null) ?? tool,
    server: isMcp ? (source.get('label').text() ?? source.get('serverLabel').text()) : null,
    tool,
    callId: made?.call.get('id').text() ?? part.get('toolCallId').text(),
    arguments: given.isThere ? given.value() : notCaptured('logged'),
    summary: summaryOfArguments(given) || firstLine(messageOf(part.get('invocationMessage'))),
    at: null,
  });
  answerInvocation(writer, step, part, made);
  return step;
}

/** The server's part of the id is cut, so the tool's name is taken from what the screen says. */
function toolNameOf(part: JsonPlace, toolId: string): string {
  const shown = `${messageOf(part.get('invocationMessage'))} ${messageOf(part.get('pastTenseMessage'))}`;
  const name = /`([^`]{1,200})`/.exec(shown)?.[1];
  return name !== undefined && toolId.endsWith(`_${name}`) ? name : toolId;
}

function messageOf(place: JsonPlace): string {
  return place.text() ?? place.get('value').text() ?? '';
}

function argumentsOf(part: JsonPlace, made: RoundCall | undefined): JsonPlace {
  const specific = part.get('toolSpecificData');
  const candidates = [
    made?.call.get('arguments'),
    specific.get('rawInput'),
    part.get('resultDetails').get('input'),
    specific.get('commandLine').get('original'),
    specific.get('command'),
    specific.get('input'),
    specific.get('prompt'),
    specific.get('todoList'),
  ];
  return candidates.find((each) => each?.isThere) ?? part.get('resultDetails').get('input');
}

/** Of the ways in which a call is confirmed: a person let the chat go on without it. */
const SKIPPED = 5;

/** A call of a round that the chat shows nowhere. */
export function addUnshownCall(
  writer: RunWriter,
  request: JsonPlace,
  { call, result }: RoundCall,
): Step {
  const given = call.get('arguments');
  const name = call.get('name').text() ?? '';
  const step = writer.call(request.origin(), {
    name,
    tool: name,
    callId: call.get('id').text(),
    arguments: given.isThere ? given.value() : notCaptured('logged'),
    summary: summaryOfArguments(given),
    at: null,
  });
  const shown = bare(result.get('content'));
  if (!shown.isThere) {
    step.statusReason = 'The chat neither shows the call nor holds what it gave.';
    return step;
  }
  const text = shown.text() ?? '';
  const isError = FAILED.test(text);
  writer.answer(step, null, {
    status: isError ? 'error' : 'ok',
    reason: isError ? firstLine(text, 200) : null,
    result: shown.value(cutsInResult(shown.view)),
    emptyResult: isEmptyAt(shown),
    at: null,
    pairing: BY_ID,
  });
  return step;
}

const FAILED = /^(?:Error calling tool|ERROR while calling tool)\b/;

function answerInvocation(
  writer: RunWriter,
  step: Step,
  part: JsonPlace,
  made: RoundCall | undefined,
): void {
  const confirmed = part.get('isConfirmed');
  if (confirmed.isFalse() || confirmed.get('type').count() === 0) {
    writer.settle(step, 'rejected', 'The call was not allowed; it never reached the tool.');
    return;
  }
  if (confirmed.get('type').count() === SKIPPED) {
    writer.settle(step, 'rejected', 'The call was skipped; it never reached the tool.');
    return;
  }
  const result = resultOf(part, made);
  if (!part.get('isComplete').isTrue()) {
    step.statusReason = 'The call had not ended when the chat was saved.';
    return;
  }
  const text = result.text() ?? '';
  const exit = failedExit(part.get('toolSpecificData'));
  const isError =
    part.get('resultDetails').get('isError').isTrue() || FAILED.test(text) || exit !== null;
  const known = result.isThere;
  writer.answer(step, null, {
    status: isError ? 'error' : known ? 'ok' : 'unknown',
    reason: isError
      ? (exit ?? (firstLine(text, 200) || 'The result is an error.'))
      : known
        ? null
        : 'The chat says that the call ended, not what it gave.',
    result: known ? result.value(cutsInResult(result.view)) : notCaptured('logged'),
    emptyResult: isEmptyAt(result),
    at: null,
    pairing: { by: 'order', derived: false },
  });
}

/** The exit code of a command in the terminal, where it failed. */
function failedExit(specific: JsonPlace): string | null {
  const code = specific.get('terminalCommandState').get('exitCode');
  const written = code.kind === 'number' ? code.written() : null;
  return written === null || written === '0' ? null : `Exit code ${written}`;
}

/** What the server gave, else what the model was shown, else what the screen keeps of it. */
function resultOf(part: JsonPlace, made: RoundCall | undefined): JsonPlace {
  const output = part.get('resultDetails').get('output');
  const specific = part.get('toolSpecificData');
  const candidates = [
    output.kind === 'array' ? output : null,
    made?.result.get('content'),
    output,
    specific.get('terminalCommandOutput').get('text'),
    specific.get('output'),
    specific.get('result'),
  ];
  return bare(candidates.find((each) => each?.isThere) ?? output);
}

/** A single text is shown as itself. */
function bare(list: JsonPlace): JsonPlace {
  const items = list.items();
  const only = items[0]?.get('value');
  return items.length === 1 && only?.kind === 'string' ? only : list;
}
