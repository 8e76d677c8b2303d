import { cutsInResult } from '../../cut-marks.ts';
import type { JsonPlace } from '../../json-place.ts';
import { firstLine } from '../../one-line.ts';
import { BY_ID, isEmptyAt, type RunWriter, summaryOfArguments } from '../../run-writer.ts';
import { contentParts, onlyOutput } from './chat-message.ts';

const INJECTED =
  /^(?:This is the Gemini CLI\. We are setting up the context|<session_context>|<state_snapshot>)/;

/** Turns one entry of a saved history into steps; returns why it can't, or null. */
export function addHistoryEntry(writer: RunWriter, entry: JsonPlace): string | null {
  const role = entry.get('role').text();
  const parts = entry.get('parts');
  if (parts.kind !== 'array' || (role !== 'user' && role !== 'model')) {
    return 'an entry without role and parts';
  }
  const responses = parts.items().filter((part) => part.get('functionResponse').isThere);
  const calls = parts.items().filter((part) => part.get('functionCall').isThere);
  const said = contentParts(parts).filter(
    (_, index) =>
      !responses.concat(calls).some(({ pointer }) => pointer === `${parts.pointer}/${index}`),
  );
  const values = said.map(({ part }) => part);
  const text = said.flatMap((part) => part.text ?? []).join('\n');
  let reason: string | null = null;
  for (const part of responses) {
    if (!addResponse(writer, entry, part.get('functionResponse'))) {
      reason = 'a response whose call is not in the file';
    }
  }
  if (role === 'user') {
    if (said.length === 0) return reason;
    if (INJECTED.test(text)) writer.note(entry.origin(), null, 'Added by the client', values, text);
    else writer.userTurn(entry.origin(), null, values, text);
    return reason;
  }
  const names = calls.map((part) => part.get('functionCall').get('name').text() ?? '?').join(', ');
  writer.step(entry.origin(), null, {
    kind: 'model',
    name: 'Model call',
    content: values,
    summary: firstLine(text) || (names === '' ? '' : `calls ${names}`),
  });
  for (const part of calls) {
    const call = part.get('functionCall');
    const given = call.get('args');
    writer.call(entry.origin(), {
      name: call.get('name').text() ?? '',
      callId: call.get('id').text(),
      arguments: given.isThere ? given.value() : null,
      summary: summaryOfArguments(given),
      at: null,
    });
  }
  return reason;
}

/** Responses often have no id: then the first waiting call of that name gets it. */
function addResponse(writer: RunWriter, entry: JsonPlace, response: JsonPlace): boolean {
  const id = response.get('id').text();
  const name = response.get('name').text();
  const byId = writer.takeOpen(id);
  const step = byId ?? (id === null ? writer.takeWaiting((each) => each.tool === name) : null);
  if (step === null) return false;
  const body = response.get('response');
  const place = onlyOutput(body);
  const error = body.get('error');
  const cuts = cutsInResult(place.view);
  const cancelled = /^\[Operation Cancelled\]/.test(error.text() ?? '');
  writer.answer(step, entry.origin(), {
    status: error.isThere ? (cancelled ? 'cancelled' : 'error') : 'ok',
    reason: error.isThere ? firstLine(error.text() ?? 'The response is an error.', 200) : null,
    result: place.isThere ? place.value(cuts) : null,
    emptyResult: isEmptyAt(place),
    at: null,
    pairing: byId === null ? { by: 'name-and-order', derived: true } : BY_ID,
  });
  return true;
}
