import { notCaptured, type Step } from '@misstep/model';
import { verdictOfAnswer } from './call-verdict.ts';
import type { HttpBody } from './http-body.ts';
import { wordsOf } from './http-failure.ts';
import type { HttpExchange } from './http-traffic.ts';
import type { JsonView } from './json-view.ts';
import { firstLine } from './one-line.ts';
import { isRpc } from './rpc-view.ts';
import { makeStep } from './step-builder.ts';

const NOT_SHOWN = 'the request is not in the source';
const NO_RPC = 'what was sent is no JSON-RPC';

/** What came back for requests that a recording doesn't show: a step for each, without arguments. */
export function stepsOfUnasked(exchange: HttpExchange, nextId: () => Step['id']): Step[] {
  const { received, status } = exchange;
  if (received === null) return [];
  const answers = received.messages.flatMap(({ view }) =>
    isRpc(view) && (view.get('result') ?? view.get('error')) !== undefined ? [view] : [],
  );
  const steps = answers.map((view) => answered(exchange, view, nextId()));
  if (answers.length > 0 || status < 300) return steps;
  return [refused(exchange, received, nextId())];
}

function answered({ record, sent }: HttpExchange, view: JsonView, id: Step['id']): Step {
  const result = view.get('result');
  const error = view.get('error');
  const isTool = result?.get('content')?.isArray === true;
  const said = error?.get('message')?.text ?? null;
  const verdict = verdictOfAnswer(result?.get('content'), result?.get('isError')?.isTrue === true);
  return makeStep({
    id,
    kind: isTool ? 'tool' : 'protocol',
    name: sent === null ? '(call not in the source)' : '(no JSON-RPC request)',
    callId: view.get('id')?.written ?? null,
    evidence: 'wire',
    origin: record,
    arguments: sent?.value() ?? notCaptured('wire'),
    result: (error ?? result)?.value('wire') ?? null,
    ...(error === undefined
      ? verdict
      : { status: 'protocolError' as const, statusReason: said && firstLine(said, 200) }),
    pairing: { by: 'none', derived: false },
    summary: sent === null ? NOT_SHOWN : NO_RPC,
  });
}

function refused(
  { record, method, status }: HttpExchange,
  received: HttpBody,
  id: Step['id'],
): Step {
  return makeStep({
    id,
    kind: 'protocol',
    name: `HTTP ${method === '?' ? 'request' : method}`,
    evidence: 'wire',
    origin: record,
    arguments: notCaptured('wire'),
    result: received.value(),
    status: 'protocolError',
    statusReason: `HTTP status ${status}: ${wordsOf(received)}`,
    pairing: { by: 'none', derived: false },
    summary: NOT_SHOWN,
  });
}
