import type { ConnectionSecrets } from './connection-options.ts';

/** Shorter values are words like `true` or `1`: hiding those would only spoil sentences. */
const SHORTEST_SECRET = 6;
const SCHEME = /^(?:bearer|basic|token|apikey|api-key)\s+(\S.*)$/i;

interface SecretForm {
  readonly form: string;
  readonly mask: string;
}

// The forms of one target's secrets are asked for with every event of its connection.
const alreadyMade = new WeakMap<ConnectionSecrets, readonly SecretForm[]>();

/**
 * A text of ours without the values that only one server may know: each becomes `(secret NAME)`.
 * Found as they are, as they stand in JSON and in a URL, without an authorization scheme, and the
 * user and password of Basic. Values under six characters are left alone.
 */
export function maskSecrets(text: string, secrets: ConnectionSecrets | undefined): string {
  if (secrets === undefined) return text;
  let masked = text;
  for (const { form, mask } of formsOf(secrets)) masked = masked.replaceAll(form, mask);
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
  for (const { form, mask } of formsOf(secrets)) {
    const parts = text.split(Buffer.from(form, 'utf8').toString('latin1'));
    count += parts.length - 1;
    text = parts.join(Buffer.from(mask, 'utf8').toString('latin1'));
  }
  return count === 0 ? { bytes, count } : { bytes: Buffer.from(text, 'latin1'), count };
}

function formsOf(secrets: ConnectionSecrets): readonly SecretForm[] {
  const known = alreadyMade.get(secrets);
  if (known !== undefined) return known;
  const forms = new Map<string, string>();
  for (const [name, value] of [...secrets.headers, ...secrets.environment]) {
    for (const secret of partsOf(value)) {
      const written = [
        secret,
        JSON.stringify(secret).slice(1, -1),
        encodeURIComponent(wellFormed(secret)),
      ];
      for (const form of written) forms.set(form, `(secret ${name})`);
    }
  }
  // The longest first: a secret can be part of another.
  const made = [...forms]
    .map(([form, mask]) => ({ form, mask }))
    .sort((one, other) => other.form.length - one.form.length);
  alreadyMade.set(secrets, made);
  return made;
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

/** Half a surrogate pair has no form in a URL, nor in UTF-8. */
function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
