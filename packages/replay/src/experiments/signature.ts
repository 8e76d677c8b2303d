import { canonicalJson } from '@misstep/json';
import { fail, ok, type Result } from '@misstep/model';
import type { SentOutcome } from './experiment.ts';
import { hashView, lookUp, viewResult } from './result-view.ts';

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
  { outcome, resultText }: SentOutcome,
  excluded: ReadonlySet<string> = new Set(),
): string {
  if (signature.kind === 'isError') return outcome === 'result' ? 'no error' : `(${outcome})`;
  if (outcome !== 'result' || resultText === null) return `(${outcome})`;
  const view = viewResult(resultText);
  if (view === null) return '(not JSON)';
  if (signature.kind === 'hash') return hashView(view, excluded);
  const found = lookUp(view, signature.pointer);
  if (found === null) return '(absent)';
  const { document, node } = found;
  if (signature.kind === 'value') return canonicalJson({ text: document.text, root: node });
  if (node.kind === 'array') return `${node.items.length} items`;
  if (node.kind === 'object') return `${node.members.length} members`;
  return '(nothing to count)';
}
