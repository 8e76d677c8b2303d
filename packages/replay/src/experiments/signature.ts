import { canonicalJson, splitPointer } from '@misstep/json';
import { fail, ok, type Result } from '@misstep/model';
import type { SentOutcome } from './experiment.ts';
import { hashView, lookUp, type ResultView, viewResult } from './result-view.ts';

/** By what two outcomes are called the same; chosen by the person. */
export type Signature =
  | { readonly kind: 'isError' }
  | { readonly kind: 'value'; readonly pointer: string }
  | { readonly kind: 'count'; readonly pointer: string }
  | { readonly kind: 'hash' };

/** `error`, `hash`, `value:/pointer` or `count:/pointer`. The error is one sentence. */
export function readSignature(text: string): Result<Signature, string> {
  if (text === 'error') return ok({ kind: 'isError' });
  if (text === 'hash') return ok({ kind: 'hash' });
  const match = /^(value|count):((?:\/.*)?)$/s.exec(text);
  if (match?.[1] === 'value') return ok({ kind: 'value', pointer: match[2] ?? '' });
  if (match?.[1] === 'count') return ok({ kind: 'count', pointer: match[2] ?? '' });
  return fail(`"${text}" is no signature: give error, hash, value:/pointer or count:/pointer.`);
}

/** As `readSignature` reads it. */
export function signatureText(signature: Signature): string {
  switch (signature.kind) {
    case 'isError':
      return 'error';
    case 'hash':
      return 'hash';
    default:
      return `${signature.kind}:${signature.pointer}`;
  }
}

/** Why a text is no JSON Pointer (RFC 6901), in one sentence; null where it is one. */
export function pointerFault(pointer: string): string | null {
  return pointer === '' || splitPointer(pointer) !== null
    ? null
    : `"${pointer}" is no JSON Pointer: each part begins with a slash.`;
}

/** The signature of a result that was not looked into: equal to nothing, itself included. */
export const NOT_LOOKED_INTO = '(not looked into)';

/** True where what the signature asks for stands in a result that is not at hand. */
export function isOutOfSight(signature: Signature, outcome: SentOutcome): boolean {
  return (
    signature.kind !== 'isError' &&
    outcome.outcome === 'result' &&
    (outcome.notLookedIntoSha256 ?? null) !== null
  );
}

export function describeSignature(signature: Signature): string {
  switch (signature.kind) {
    case 'isError':
      return 'whether it is an error';
    case 'hash':
      return 'the whole result';
    case 'value':
      return `the value at ${signature.pointer || 'the root'}`;
    case 'count':
      return `the number of items at ${signature.pointer || 'the root'}`;
  }
}

/**
 * The signature of an outcome, as text: equal texts are equal outcomes. What isn't a result is
 * called by its outcome in brackets.
 */
export function signatureOf(
  signature: Signature,
  sent: SentOutcome,
  isLeftOut: (pointer: string) => boolean = () => false,
  view: (resultText: string) => ResultView | null = viewResult,
): string {
  const { outcome, resultText } = sent;
  if (isOutOfSight(signature, sent)) return NOT_LOOKED_INTO;
  if (signature.kind === 'isError') return outcome === 'result' ? 'no error' : `(${outcome})`;
  if (outcome !== 'result' || resultText === null) return `(${outcome})`;
  const viewed = view(resultText);
  if (viewed === null) return '(not JSON)';
  if (signature.kind === 'hash') return hashView(viewed, isLeftOut);
  const found = lookUp(viewed, signature.pointer);
  if (found === null) return '(absent)';
  const { document, node } = found;
  if (signature.kind === 'value') return canonicalJson({ text: document.text, root: node });
  if (node.kind === 'array') return counted(node.items.length, 'item');
  if (node.kind === 'object') return counted(node.members.length, 'member');
  return '(nothing to count)';
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
