import { asLatin1 } from './character-forms.ts';
import type { ConnectionSecrets } from './connection-options.ts';
import { type CutForm, cutEndsOf, cutFormOf, cutStartsOf } from './cut-secrets.ts';
import { secretPattern } from './secret-pattern.ts';

/** Shorter values are words like `true` or `1`: hiding those would only spoil sentences. */
export const SHORTEST_SECRET = 6;
/** Of a secret of several lines, a line that counts as one itself. */
const SHORTEST_LINE = 8;
/** A longer one is looked for in pieces: one pattern of all of it takes very long to make. */
const LONGEST_PIECE = 256;
const SCHEME = /^(?:bearer|basic|token|apikey|api-key)\s+(\S.*)$/i;
/** So much is searched at a time before others get their turn. */
const WINDOW_CHARACTERS = 1 << 20;
/** The most that one character of a secret becomes where it is escaped. */
const LONGEST_ESCAPE = 64;

/** A value that must not be seen, and what stands in its place. */
export interface KnownSecret {
  readonly value: string;
  readonly mask: string;
}

/** What is to be masked: all that a connection is given, or values from wherever they are known. */
export type SecretSource = ConnectionSecrets | readonly KnownSecret[];

/** Where in bytes or in a text a secret stands. */
export interface SecretPlace {
  readonly offset: number;
  readonly length: number;
  readonly mask: string;
}

interface SecretForm {
  readonly length: number;
  readonly mask: string;
  /** In a string of JavaScript, and in bytes read as latin1. */
  readonly inText: RegExp;
  readonly inBytes: RegExp;
  readonly cut: CutForm;
}

// The forms of one target's secrets are asked for with every event of its connection.
const alreadyMade = new WeakMap<SecretSource, readonly SecretForm[]>();

/**
 * A text of ours without the values that only one server may know: each becomes `(secret NAME)`.
 * Found as they are, in upper and lower case, with any character escaped in the ways that
 * `secretPattern` knows, in Base64 and hexadecimal, without an authorization scheme, and the user
 * and password of Basic. Values under six characters are left alone. Where a text was cut inside a
 * value, the beginning that is left of it is masked too.
 */
export function maskSecrets(text: string, secrets: SecretSource | undefined): string {
  if (secrets === undefined) return text;
  return replacePlaces(text, findSecretsInText(text, secrets), (mask) => mask);
}

/** The places that `maskSecrets` masks, in UTF-16 units. */
export function findSecretsInText(text: string, secrets: SecretSource): SecretPlace[] {
  const forms = formsOf(secrets);
  const found = forms.flatMap(({ inText, mask }) => matchesOf(text, inText, mask));
  return merged([...found, ...cutEndsOf(text, forms)]);
}

/** The same for bytes of others, with how many places were masked; the very bytes where none were. */
export function maskSecretBytes(
  bytes: Uint8Array,
  secrets: SecretSource | undefined,
): { readonly bytes: Uint8Array; readonly count: number } {
  const places = secrets === undefined ? [] : findSecretsInBytes(bytes, secrets);
  return { bytes: maskPlaces(bytes, places), count: places.length };
}

/** The bytes with each place replaced by its mask; the very bytes where there is none. */
export function maskPlaces(bytes: Uint8Array, places: readonly SecretPlace[]): Uint8Array {
  if (places.length === 0) return bytes;
  return Buffer.from(replacePlaces(asCharacters(bytes), places, asLatin1), 'latin1');
}

export function findSecretsInBytes(bytes: Uint8Array, secrets: SecretSource): SecretPlace[] {
  const forms = formsOf(secrets);
  if (forms.length === 0) return [];
  const text = asCharacters(bytes);
  return merged(forms.flatMap(({ inBytes, mask }) => matchesOf(text, inBytes, mask)));
}

/**
 * What a cut has left of a secret at either end of bytes: its beginning at their end and, where
 * something before them is not kept, its ending at their start.
 */
export function findCutSecrets(
  bytes: Uint8Array,
  secrets: SecretSource,
  isCut: { readonly atStart: boolean; readonly atEnd: boolean },
): SecretPlace[] {
  const forms = formsOf(secrets).map(({ cut, mask }) => ({ cut: cut.map(asLatin1), mask }));
  const longest = Math.max(0, ...forms.flatMap(({ cut }) => cut.map((form) => form.length)));
  const endAt = Math.max(0, bytes.length - longest);
  const starts = isCut.atStart ? cutStartsOf(asCharacters(bytes.subarray(0, longest)), forms) : [];
  const ends = isCut.atEnd ? cutEndsOf(asCharacters(bytes.subarray(endAt)), forms, true) : [];
  return merged([...starts, ...ends.map((each) => ({ ...each, offset: each.offset + endAt }))]);
}

/** All of them in their order, those that overlap as one. */
export function mergePlaces(...places: readonly (readonly SecretPlace[])[]): SecretPlace[] {
  return merged(places.flat());
}

/** The same a piece at a time, so that many bytes keep nobody else waiting for long. */
export async function findSecretsInTurns(
  bytes: Uint8Array,
  secrets: SecretSource,
): Promise<SecretPlace[]> {
  const forms = formsOf(secrets);
  const longest = Math.max(0, ...forms.map(({ length }) => length)) * LONGEST_ESCAPE;
  const step = Math.max(WINDOW_CHARACTERS, longest);
  if (bytes.length <= step) return findSecretsInBytes(bytes, secrets);
  const found: SecretPlace[] = [];
  for (let from = 0; from < bytes.length && forms.length > 0; from += step) {
    // What begins in this window may end in the next one.
    for (const place of findSecretsInBytes(bytes.subarray(from, from + step + longest), secrets)) {
      found.push({ ...place, offset: place.offset + from });
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return merged(found);
}

function matchesOf(text: string, pattern: RegExp, mask: string): SecretPlace[] {
  return Array.from(text.matchAll(pattern), ({ 0: { length }, index }) => ({
    offset: index,
    length,
    mask,
  }));
}

/** In their order; those that overlap, or are pieces of one, are one, under the longest's name. */
function merged(places: readonly SecretPlace[]): SecretPlace[] {
  const inOrder = [...places].sort((a, b) => a.offset - b.offset || b.length - a.length);
  const found: SecretPlace[] = [];
  for (const place of inOrder) {
    const last = found.at(-1);
    const lastEnd = last === undefined ? -1 : last.offset + last.length;
    const isNext = place.offset === lastEnd && place.mask === last?.mask;
    if (last === undefined || (place.offset >= lastEnd && !isNext)) {
      found.push(place);
      continue;
    }
    const end = Math.max(lastEnd, place.offset + place.length);
    const { mask } = place.length > last.length ? place : last;
    found[found.length - 1] = { offset: last.offset, length: end - last.offset, mask };
  }
  return found;
}

function replacePlaces(
  text: string,
  places: readonly SecretPlace[],
  written: (mask: string) => string,
): string {
  if (places.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { offset, length, mask } of places) {
    parts.push(text.slice(from, offset), written(mask));
    from = offset + length;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

function formsOf(secrets: SecretSource): readonly SecretForm[] {
  const known = alreadyMade.get(secrets);
  if (known !== undefined) return known;
  const masks = new Map<string, string>();
  for (const { value, mask } of knownSecrets(secrets)) {
    for (const secret of partsOf(value).flatMap(piecesOf)) {
      if (!masks.has(secret)) masks.set(secret, mask);
    }
  }
  // The longest first: a secret can be part of another.
  const made = [...masks]
    .map(([secret, mask]) => ({
      length: secret.length,
      mask,
      inText: secretPattern(secret, (text) => text),
      inBytes: secretPattern(secret, asLatin1),
      cut: cutFormOf(secret),
    }))
    .sort((one, other) => other.length - one.length);
  alreadyMade.set(secrets, made);
  return made;
}

/** Each value with the mask that stands in its place. */
export function knownSecrets(secrets: SecretSource): readonly KnownSecret[] {
  if (!('headers' in secrets)) return secrets;
  return [...secrets.environment, ...secrets.headers].map(([name, value]) => ({
    value,
    mask: `(secret ${name})`,
  }));
}

/** As latin1 each byte is one character, so that bytes which are no UTF-8 stay what they are. */
function asCharacters(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** Of about the same length, so that none is too short to be looked for. */
function piecesOf(secret: string): string[] {
  const characters = Array.from(secret);
  const count = Math.ceil(characters.length / LONGEST_PIECE);
  const length = Math.ceil(characters.length / count);
  return Array.from({ length: count }, (_, at) =>
    characters.slice(at * length, (at + 1) * length).join(''),
  );
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
  // A key of several lines is printed, cut and quoted line by line.
  const lines = /[\r\n]/.test(value.trim()) ? value.split(/[\r\n]+/) : [];
  return [
    ...parts.map((part) => part.trim()).filter((part) => part.length >= SHORTEST_SECRET),
    ...lines.map((line) => line.trim()).filter((line) => line.length >= SHORTEST_LINE),
  ];
}
