import { encodeString, parseJson } from '@misstep/json';
import type { RawAnswer } from './answer-book.ts';
import { type InputRequest, readInputRequired } from './modern-answers.ts';
import type { RoundInput } from './modern-frames.ts';
import type { AnswerServer, ServerRequestAnswer } from './server-requests.ts';
import { shortened } from './shortened.ts';
import type { TapWriter } from './tap.ts';

/** A person who says no (MCP 2026-07-28, elicitation). */
const DECLINED = '{"action":"decline"}';

/**
 * What goes back for an `input_required` result. Entries are answered at once and together. Null
 * where one of them can't be answered: the call then ends with the result that asks, since sampling
 * and roots know no way to say no.
 */
export async function answerInputs(
  answer: RawAnswer,
  answerServer: AnswerServer | undefined,
  tap: TapWriter,
  signal: AbortSignal,
): Promise<RoundInput | null> {
  const { requests, stateText } = readInputRequired(answer.frame);
  if (requests.length === 0) {
    if (stateText !== null) return { responsesText: null, stateText };
    tap.event('note', 'the result asks for input, but names neither a request nor a state');
    return null;
  }
  const answered = await Promise.all(
    requests.map(async (request) => ({
      request,
      text: responseText(request, await ask(request, answerServer, answer.atNs, signal)),
    })),
  );
  for (const { request, text } of answered) {
    if (text !== null && text !== DECLINED) continue;
    const method = request.method ?? 'a request without a method';
    tap.event('note', `declined ${method}, asked for as ${shortened(request.key, 100)}`);
  }
  if (answered.some(({ text }) => text === null)) return null;
  const members = answered.map(({ request, text }) => `${encodeString(request.key)}:${text}`);
  return { responsesText: `{${members.join(',')}}`, stateText };
}

async function ask(
  { key, method, paramsText }: InputRequest,
  answerServer: AnswerServer | undefined,
  atNs: bigint,
  signal: AbortSignal,
): Promise<ServerRequestAnswer | null> {
  if (answerServer === undefined || method === null) return null;
  return answerServer({ method, idText: key, paramsText, atNs, signal });
}

/** JSON text for `inputResponses`, where only results can stand; null = there is none. */
function responseText({ method }: InputRequest, given: ServerRequestAnswer | null): string | null {
  if (given?.kind === 'result' && parseJson(given.text).ok) return given.text;
  return method === 'elicitation/create' ? DECLINED : null;
}
