import { notCaptured, type Step } from '@misstep/model';
import { cutsInResult } from '../../cut-marks.ts';
import type { JsonPlace } from '../../json-place.ts';
import { firstLine } from '../../one-line.ts';
import { isEmptyAt, type RunWriter, summaryOfArguments } from '../../run-writer.ts';

/** A call as the model made it, with its result: it has another id than what the screen shows. */
export interface RoundCall {
  readonly call: JsonPlace;
  readonly result: JsonPlace;
  taken: boolean;
}

export function roundCallsOf(metadata: JsonPlace): RoundCall[] {
  const results = metadata.get('toolCallResults');
  const byId = results.entries();
  return metadata
    .get('toolCallRounds')
    .items()
    .flatMap((round) => round.get('toolCalls').items())
    .map((call) => ({
      call,
      result: byId.get(call.get('id').text() ?? '') ?? results.get(''),
      taken: false,
    }));
}

/** `copilot_readFile` on the screen is `read_file` for the model. */
function plainName(name: string): string {
  return name
    .replace(/^(?:copilot|vscode)_/, '')
    .replace(/[^0-9a-z]/gi, '')
    .toLowerCase();
}

/** Adds a call of the response; `calls` are those of the request's rounds in order. */
export function addInvocation(
  writer: RunWriter,
  request: JsonPlace,
  part: JsonPlace,
  calls: readonly RoundCall[],
): Step {
  const toolId = part.get('toolId').text() ?? '';
  const name = plainName(toolId);
  const made = calls.find(
    (each) => !each.taken && plainName(each.call.get('name').text() ?? '') === name,
  );
  if (made !== undefined) made.taken = true;
  const given = argumentsOf(part, made);
  const source = part.get('source');
  const isMcp = source.get('type').text() === 'mcp';
  const tool = isMcp ? toolNameOf(part, toolId) : toolId;
  const step = writer.call(request.origin(), {
    name: tool,
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
  ];
  return candidates.find((each) => each?.isThere) ?? part.get('resultDetails').get('input');
}

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
  const result = resultOf(part, made);
  if (!part.get('isComplete').isTrue()) {
    step.statusReason = 'The call had not ended when the chat was saved.';
    return;
  }
  const text = result.text() ?? '';
  const isError =
    part.get('resultDetails').get('isError').isTrue() ||
    /^(?:Error calling tool|ERROR while calling tool)\b/.test(text);
  const known = result.isThere;
  writer.answer(step, null, {
    status: isError ? 'error' : known ? 'ok' : 'unknown',
    reason: isError
      ? firstLine(text, 200) || 'The result is an error.'
      : known
        ? null
        : 'The chat says that the call ended, not what it gave.',
    result: known ? result.value(cutsInResult(result.view)) : notCaptured('logged'),
    emptyResult: isEmptyAt(result),
    at: null,
    pairing: { by: 'order', derived: false },
  });
}

/** What the server gave, else what the model was shown. A single text is shown as itself. */
function resultOf(part: JsonPlace, made: RoundCall | undefined): JsonPlace {
  const output = part.get('resultDetails').get('output');
  const shown = made?.result.get('content');
  const list = output.kind === 'array' ? output : (shown ?? output);
  const items = list.items();
  const only = items[0]?.get('value');
  return items.length === 1 && only?.kind === 'string' ? only : list;
}
