import type { ExperimentKind, ExperimentRequest } from '@misstep/model';
import type { RequestInput } from '../../api/experiments.ts';

/** Where the arguments of A or of B come from: the recording, the draft, a replay, or a text given. */
export type CallChoice = 'recorded' | 'draft' | 'given' | (string & {});

export type SignatureKind = 'error' | 'count' | 'value' | 'hash';

/** What the person has chosen so far. */
export interface Setup {
  readonly kind: ExperimentKind;
  readonly stepId: string;
  readonly targetName: string;
  readonly a: CallChoice;
  /** '' = not chosen, or no second call. */
  readonly b: CallChoice;
  /** Texts that are neither in the recording nor in a replay. */
  readonly draftText: string | null;
  readonly givenA: string | null;
  readonly givenB: string | null;
  readonly signature: SignatureKind;
  readonly pointer: string;
  /** As typed: pointers with blanks or commas between them. */
  readonly ignored: string;
  readonly repeats: number;
  /** Boundary: the argument that goes from A's value to B's, and values tried beside the way. */
  readonly argument: string;
  readonly elsewhere: number;
  readonly times: number;
  readonly atOnce: number;
  readonly connections: 'one' | 'each';
  readonly gapMs: number;
  /** Also where a conforming client would leave the tool out. */
  readonly sendsLeftOut: boolean;
}

const STANDARD = {
  draftText: null,
  givenA: null,
  givenB: null,
  signature: 'hash',
  pointer: '',
  ignored: '',
  repeats: 3,
  argument: '',
  elsewhere: 4,
  times: 3,
  atOnce: 8,
  connections: 'one',
  gapMs: 250,
  sendsLeftOut: false,
} as const;

export function newSetup(
  given: Pick<Setup, 'kind' | 'stepId' | 'targetName' | 'a' | 'b' | 'draftText'> & {
    times?: number | undefined;
  },
): Setup {
  const { times, ...rest } = given;
  return { ...STANDARD, ...rest, times: within(times ?? STANDARD.times, 2, 100) };
}

/** The same question again, with the texts that it had. */
export function setupOfRequest(request: ExperimentRequest): Setup {
  const { kind, targetName, gapMs, sendsLeftOut, call } = request;
  const callB = request.kind === 'repeat' ? null : request.callB;
  const choice = (each: typeof call | null): CallChoice =>
    each === null ? '' : each.argumentsText !== null ? 'given' : (each.replayId ?? 'recorded');
  const isBySignature = request.kind === 'attribute' || request.kind === 'boundary';
  const by = isBySignature ? readBy(request.signature) : {};
  return {
    ...STANDARD,
    kind,
    stepId: call.stepId,
    targetName,
    gapMs,
    sendsLeftOut,
    a: choice(call),
    b: choice(callB),
    givenA: call.argumentsText,
    givenB: callB?.argumentsText ?? null,
    ...by,
    ...(isBySignature ? { ignored: request.ignoredPointers.join(' ') } : {}),
    ...(request.kind === 'attribute' ? { repeats: request.repeats } : {}),
    ...(request.kind === 'boundary'
      ? { argument: request.argument, elsewhere: request.elsewhere }
      : {}),
    ...(request.kind === 'repeat' ? { times: request.times } : {}),
    ...(request.kind === 'race'
      ? { atOnce: request.atOnce, connections: request.connections }
      : {}),
  };
}

/** What is asked of the server; null and why while something is missing. */
export function requestOf(setup: Setup): { request: RequestInput | null; missing: string | null } {
  const missing = (words: string) => ({ request: null, missing: words });
  if (setup.targetName === '') return missing('No server is configured.');
  const { kind, stepId, targetName, gapMs, sendsLeftOut } = setup;
  const call = callOf(setup, 'a');
  if (call === null) return missing('The draft is not in this page any more: choose A again.');
  const common = { targetName, gapMs, ...(sendsLeftOut ? { sendsLeftOut } : {}), call };
  if (kind === 'repeat') {
    return { request: { kind, ...common, times: setup.times }, missing: null };
  }
  const callB = setup.b === '' ? null : callOf(setup, 'b');
  if (setup.b !== '' && callB === null) {
    return missing('The draft is not in this page any more: choose B again.');
  }
  if (kind === 'race') {
    const { atOnce, connections } = setup;
    return { request: { kind, ...common, callB, atOnce, connections }, missing: null };
  }
  if (callB === null) return missing('Choose B: another replay, or the draft.');
  const needsPointer = setup.signature === 'count' || setup.signature === 'value';
  if (needsPointer && setup.pointer === '') {
    return missing('Say where: choose a place in the answer, or write its pointer.');
  }
  const compared = {
    ...common,
    call: { ...call, stepId },
    callB,
    signature: needsPointer ? `${setup.signature}:${setup.pointer}` : setup.signature,
    ignoredPointers: setup.signature === 'hash' ? pointersIn(setup.ignored) : [],
  };
  if (kind === 'attribute') {
    return { request: { kind, ...compared, repeats: setup.repeats }, missing: null };
  }
  const { argument, elsewhere } = setup;
  return argument === ''
    ? missing('Name the argument that goes from A’s value to B’s.')
    : { request: { kind, ...compared, argument, elsewhere }, missing: null };
}

export function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.round(value) || least));
}

function callOf(setup: Setup, side: 'a' | 'b'): RequestInput['call'] | null {
  const { stepId } = setup;
  const choice = setup[side];
  switch (choice) {
    case 'recorded':
      return { stepId };
    case 'draft':
      return setup.draftText === null ? null : { stepId, argumentsText: setup.draftText };
    case 'given': {
      const text = side === 'a' ? setup.givenA : setup.givenB;
      return text === null ? null : { stepId, argumentsText: text };
    }
    default:
      return { stepId, replayId: choice };
  }
}

function pointersIn(typed: string): string[] {
  return typed.split(/[\s,]+/).filter((each) => each !== '');
}

function readBy(text: string): Partial<Pick<Setup, 'signature' | 'pointer'>> {
  const match = /^(count|value):(.*)$/s.exec(text);
  if (match?.[1] === 'count' || match?.[1] === 'value') {
    return { signature: match[1], pointer: match[2] ?? '' };
  }
  return { signature: text === 'error' ? 'error' : 'hash' };
}
