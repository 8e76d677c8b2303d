import { type JsonDocument, parseJson } from '@misstep/json';
import { headerFault, type ListedTool, type ProtocolEra } from '@misstep/mcp';
import { describeTarget, fail, ok, type Refusal, type Result, type Target } from '@misstep/model';
import { nearestNames } from './nearest-names.ts';
import type { RecordedCall, ReplayRefusal, ReplayRequest } from './replay-call.ts';

/** What will be sent, once the target agrees. */
export interface ReplayPlan {
  readonly tool: string;
  readonly argumentsText: string;
  readonly argumentsDocument: JsonDocument;
}

type PolicyRequest = Pick<
  ReplayRequest,
  'call' | 'target' | 'tool' | 'argumentsText' | 'confirmTool' | 'sendsLeftOut'
>;

/** Everything that can be refused before anything is started, in the order of its weight. */
export function planReplay(request: PolicyRequest): Result<ReplayPlan, ReplayRefusal> {
  const { call, target } = request;
  if (target.confirmedAt === null) {
    return refuse(
      'targetNotConfirmed',
      `Target ${target.name} is not confirmed, so nothing was started. Check and confirm it first: ${describeTarget(target)}`,
    );
  }
  const planned = planArguments(call, request.argumentsText);
  if (!planned.ok) return planned;
  const tool = request.tool ?? call.tool;
  if (request.confirmTool !== tool && !target.trustsReadOnlyHint)
    return refuseUnconfirmed(tool, target);
  return ok({ tool, ...planned.value });
}

/** The arguments that would go out, edited or recorded (null), where they can. */
export function planArguments(
  call: RecordedCall,
  editedText: string | null,
): Result<Pick<ReplayPlan, 'argumentsText' | 'argumentsDocument'>, ReplayRefusal> {
  const argumentsText = editedText ?? recordedArguments(call);
  if (argumentsText === null) return refuseArguments(call);
  const parsed = parseJson(argumentsText);
  if (!parsed.ok) {
    return refuse(
      'argumentsNotJson',
      `The arguments are not JSON, so nothing was sent. ${parsed.error.message}`,
    );
  }
  const surrogate = loneSurrogateAt(argumentsText);
  if (surrogate !== null) {
    return refuse(
      'argumentsNotJson',
      `The arguments hold half of a surrogate pair at character ${surrogate + 1}, which UTF-8 can't carry, so nothing was sent. Write it as an escape such as \\ud800.`,
    );
  }
  if (parsed.value.root.kind !== 'object') {
    return refuse(
      'argumentsNotObject',
      `The arguments of a tool are one JSON object, but this is ${nameKind(parsed.value)}; nothing was sent.`,
    );
  }
  return ok({ argumentsText, argumentsDocument: parsed.value });
}

/** What can be refused only when the server has said which tools it has; still nothing is sent. */
export function checkListedTool(
  request: PolicyRequest,
  plan: ReplayPlan,
  listed: readonly ListedTool[],
  era: ProtocolEra | null,
): Result<ListedTool, ReplayRefusal> {
  const tool = listed.find(({ name }) => name === plan.tool);
  if (tool === undefined) return refuseUnknown(plan.tool, listed);
  const isLeftOut = era === 'modern' && request.target.address.transport !== 'stdio';
  const fault = isLeftOut ? headerFault(tool.definitionText) : null;
  if (fault !== null && request.sendsLeftOut !== true) return refuseLeftOut(plan.tool, fault);
  const isConfirmed = request.confirmTool === plan.tool;
  const isTrusted = tool.readOnlyHint === true && request.target.trustsReadOnlyHint;
  if (!isConfirmed && !isTrusted) return refuseUnconfirmed(plan.tool, request.target);
  return ok(tool);
}

/** The arguments that the recording holds whole; null where it doesn't. */
export function recordedArguments(call: RecordedCall): string | null {
  return call.argumentsState === 'captured' ? call.argumentsText : null;
}

function refuseArguments(call: RecordedCall): Result<never, ReplayRefusal> {
  switch (call.argumentsState) {
    case 'elided':
      return refuse(
        'argumentsElided',
        'The recording holds only a part of the arguments, so nothing was sent. Complete them in the editor and send them as edited.',
      );
    case 'redacted':
      return refuse(
        'argumentsRedacted',
        'Somebody removed the arguments from the recording, so nothing was sent. Write them in the editor.',
      );
    default:
      return refuse(
        'argumentsNotCaptured',
        'The recording does not hold the arguments, so nothing was sent. Write them in the editor.',
      );
  }
}

function refuseUnconfirmed(tool: string, target: Target): Result<never, ReplayRefusal> {
  return refuse(
    'notConfirmed',
    `A call of ${tool} may change things, so it was not sent. ${adviseConfirming(tool, target)}`,
  );
}

/** How a call is confirmed, and whether trust in the server's hints could stand in for it. */
export function adviseConfirming(
  tool: string,
  { trustsReadOnlyHint }: Pick<Target, 'trustsReadOnlyHint'>,
): string {
  const confirm = "Confirm it by the tool's name (on the command line: --yes).";
  return trustsReadOnlyHint
    ? `${confirm} This target's trust in readOnlyHint can't stand in for that: the server does not say readOnlyHint of ${tool}, so each call of it is confirmed.`
    : `${confirm} Only where the server says readOnlyHint of ${tool}, a target with --trust-read-only needs no confirmation.`;
}

/** MCP 2026-07-28, Streamable HTTP: a client MUST leave such a tool out of what tools/list gives. */
function refuseLeftOut(tool: string, fault: string): Result<never, ReplayRefusal> {
  return refuse(
    'toolLeftOut',
    `A conforming client leaves ${tool} out, because ${fault}; so nothing was sent. No such client could call it: correct the annotation in the server, or say that you want it sent anyway.`,
  );
}

function refuseUnknown(tool: string, listed: readonly ListedTool[]): Result<never, ReplayRefusal> {
  const names = listed.map(({ name }) => name);
  const near = nearestNames(tool, names, 5);
  const rest =
    near.length === 0
      ? 'it lists no tools at all'
      : names.length === 1
        ? `its only tool is ${near.join(', ')}`
        : names.length === near.length
          ? `its ${names.length} tools, nearest first, are ${near.join(', ')}`
          : `the nearest of its ${names.length} are ${near.join(', ')}`;
  return refuse(
    'toolUnknown',
    `The server does not list a tool named ${tool}, so nothing was sent; ${rest}. Choose the tool that took its place, or another server.`,
  );
}

function refuse(reason: Refusal, sentence: string): Result<never, ReplayRefusal> {
  return fail({ reason, sentence });
}

function nameKind(document: JsonDocument): string {
  const { root } = document;
  if (root.kind === 'literal') return root.value === null ? 'null' : 'a boolean';
  return root.kind === 'array' ? 'an array' : `a ${root.kind}`;
}

/** Where a half character stands that UTF-8 can't carry; null = nowhere. */
export function loneSurrogateAt(text: string): number | null {
  const at = text.search(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
  return at < 0 ? null : at;
}
