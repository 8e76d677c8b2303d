import type { ConnectionSecrets } from './connection-options.ts';
import { secretPattern } from './secret-pattern.ts';

/** Shorter values are words like `true` or `1`: hiding those would only spoil sentences. */
const SHORTEST_SECRET = 6;
const SCHEME = /^(?:bearer|basic|token|apikey|api-key)\s+(\S.*)$/i;

interface SecretForm {
  readonly length: number;
  readonly mask: string;
  /** In a string of JavaScript, and in bytes read as latin1. */
  readonly inText: RegExp;
  readonly inBytes: RegExp;
}

// The forms of one target's secrets are asked for with every event of its connection.
const alreadyMade = new WeakMap<ConnectionSecrets, readonly SecretForm[]>();

/**
 * A text of ours without the values that only one server may know: each becomes `(secret NAME)`.
 * Found as they are, in upper and lower case, with any character escaped as in JSON (also JSON
 * within JSON) or a URL, in Base64 and hexadecimal, without an authorization scheme, and the user
 * and password of Basic. Values under six characters are left alone.
 */
export function maskSecrets(text: string, secrets: ConnectionSecrets | undefined): string {
  if (secrets === undefined) return text;
  let masked = text;
  for (const { inText, mask } of formsOf(secrets)) masked = masked.replace(inText, () => mask);
  return masked;
}

/** The same for bytes of others, with how many places were masked; the very bytes where none were. */
export function maskSecretBytes(
  bytes: Uint8Array,
  secrets: ConnectionSecrets | undefined,
): { readonly bytes: Uint8Array; readonly count: number } {
  if (secrets === undefined) return { bytes, count: 0 };
  // As latin1 each byte is one character, so that bytes which are no UTF-8 stay what they are.
  let text = Buffer.from(bytes).toString('latin1');
  let count = 0;
  for (const { inBytes, mask } of formsOf(secrets)) {
    const written = asLatin1(mask);
    text = text.replace(inBytes, () => {
      count += 1;
      return written;
    });
  }
  return count === 0 ? { bytes, count } : { bytes: Buffer.from(text, 'latin1'), count };
}

function formsOf(secrets: ConnectionSecrets): readonly SecretForm[] {
  const known = alreadyMade.get(secrets);
  if (known !== undefined) return known;
  const masks = new Map<string, string>();
  for (const [name, value] of [...secrets.headers, ...secrets.environment]) {
    for (const secret of partsOf(value)) masks.set(secret, `(secret ${name})`);
  }
  // The longest first: a secret can be part of another.
  const made = [...masks]
    .map(([secret, mask]) => ({
      length: secret.length,
      mask,
      inText: secretPattern(secret, (text) => text),
      inBytes: secretPattern(secret, asLatin1),
    }))
    .sort((one, other) => other.length - one.length);
  alreadyMade.set(secrets, made);
  return made;
}

function asLatin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** A header's value, and what in it is the secret itself. */
function partsOf(value: string): string[] {
  const credentials = SCHEME.exec(value)?.[1] ?? null;
  const parts = [value, ...(credentials === null ? [] : [credentials])];
  if (credentials !== null && /^basic\s/i.test(value)) {
    const pair = Buffer.from(credentials, 'base64').toString('utf8');
    const colon = pair.indexOf(':');
    parts.push(pair, ...(colon < 0 ? [] : [pair.slice(colon + 1)]));
  }
  return parts.map((part) => part.trim()).filter((part) => part.length >= SHORTEST_SECRET);
}
