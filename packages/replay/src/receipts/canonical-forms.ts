import { CANONICAL_VERSION, canonicalJson, type JsonDocument } from '@misstep/json';

/**
 * Every canonical form that a receipt may name, for ever: a new form gets a new line, and the old
 * one stays, so that a hash made years ago can still be checked.
 */
export const CANONICAL_FORMS: ReadonlyMap<string, (document: JsonDocument) => string> = new Map([
  [CANONICAL_VERSION, canonicalJson],
]);
