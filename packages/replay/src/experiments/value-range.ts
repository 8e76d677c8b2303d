import {
  canonicalJson,
  encodeString,
  type JsonArray,
  type JsonDocument,
  parseJson,
  stringValue,
} from '@misstep/json';
import { fail, ok, type Result } from '@misstep/model';
import { MOST_DIGITS, whyNoValueBetween } from './no-value-between.ts';
import { readTimes } from './time-scale.ts';

const MOST_CHARACTERS = 1_000_000;
const SHOWN_LENGTH = 60;

/** Values between two of an argument, in whole steps; A and B themselves are as written. */
export interface ValueRange {
  /** What one step is: `1`, `0.01`, `1 day`, `1 character`, `1 item`. */
  readonly step: string;
  readonly a: bigint;
  readonly b: bigint;
  /** The JSON text of the value at a place from A to B. */
  textAt(place: bigint): string;
  /** For a person, short. */
  wordsAt(place: bigint): string;
}

/**
 * What stands between two values, where something does: numbers, dates and times in one form, and
 * texts or lists of which one begins with the other. The error is one sentence.
 */
export function rangeBetween(
  textA: string | null,
  textB: string | null,
): Result<ValueRange, string> {
  if (textA === null || textB === null) {
    return fail('One of the two calls leaves this argument out, so no value stands between.');
  }
  const [a, b] = [parseJson(textA), parseJson(textB)];
  if (!a.ok || !b.ok) return fail('These values are not JSON.');
  const range = between(a.value, b.value);
  if (range === null) {
    return fail(whyNoValueBetween(a.value, b.value));
  }
  const distance = range.a < range.b ? range.b - range.a : range.a - range.b;
  if (distance === 0n)
    return fail('Both are the same value in two spellings: none stands between.');
  if (distance === 1n) return fail('These two are neighbours: no value stands between.');
  return ok({
    ...range,
    // What is known of A and B is known of their very text.
    textAt: (place) =>
      place === range.a ? textA : place === range.b ? textB : range.textAt(place),
  });
}

function between(a: JsonDocument, b: JsonDocument): ValueRange | null {
  const [left, right] = [a.root, b.root];
  if (left.kind === 'number' && right.kind === 'number') {
    return numbersBetween(
      a.text.slice(left.start, left.end),
      b.text.slice(right.start, right.end),
      (text) => text,
    );
  }
  if (left.kind === 'string' && right.kind === 'string') {
    return textsBetween(stringValue(a, left), stringValue(b, right));
  }
  return left.kind === 'array' && right.kind === 'array' ? listsBetween(a, left, b, right) : null;
}

function textsBetween(a: string, b: string): ValueRange | null {
  const times = readTimes(a, b);
  if (times !== null) {
    const textAt = (place: bigint) => encodeString(times.textAt(place));
    return { step: times.step, a: times.a, b: times.b, textAt, wordsAt: textAt };
  }
  return numbersBetween(a, b, (text) => encodeString(text)) ?? lengthsBetween(a, b);
}

/** Without an exponent, and without zeros before that would be lost. */
const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/;

function numbersBetween(a: string, b: string, write: (text: string) => string): ValueRange | null {
  if (a.length > MOST_DIGITS || b.length > MOST_DIGITS) return null;
  const [left, right] = [NUMBER.exec(a), NUMBER.exec(b)];
  if (left === null || right === null) return null;
  const places = Math.max(left[3]?.length ?? 0, right[3]?.length ?? 0);
  const read = ([, sign = '', whole = '', part = '']: RegExpExecArray) => {
    const size = BigInt(whole + part.padEnd(places, '0'));
    return sign === '-' ? -size : size;
  };
  const textAt = (place: bigint) => write(decimalText(place, places));
  return {
    step: places === 0 ? '1' : `0.${'1'.padStart(places, '0')}`,
    a: read(left),
    b: read(right),
    textAt,
    wordsAt: textAt,
  };
}

function decimalText(value: bigint, places: number): string {
  const sign = value < 0n ? '-' : '';
  const digits = (value < 0n ? -value : value).toString().padStart(places + 1, '0');
  if (places === 0) return `${sign}${digits}`;
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** Code points, so that none is cut in two. */
function lengthsBetween(a: string, b: string): ValueRange | null {
  const longer = a.length > b.length ? a : b;
  if (longer.length > MOST_CHARACTERS || !longer.startsWith(longer === a ? b : a)) return null;
  const [mine, theirs] = [[...a], [...b]];
  const all = longer === a ? mine : theirs;
  return {
    step: '1 character',
    a: BigInt(mine.length),
    b: BigInt(theirs.length),
    textAt: (place) => encodeString(all.slice(0, Number(place)).join('')),
    wordsAt: (place) => counted(place, 'character'),
  };
}

function listsBetween(
  a: JsonDocument,
  left: JsonArray,
  b: JsonDocument,
  right: JsonArray,
): ValueRange | null {
  const isA = left.items.length > right.items.length;
  const [document, longer] = isA ? [a, left] : [b, right];
  const [other, shorter] = isA ? [b, right] : [a, left];
  const begins = shorter.items.every((item, index) => {
    const same = longer.items[index];
    return (
      same !== undefined &&
      canonicalJson({ text: other.text, root: item }) ===
        canonicalJson({ text: document.text, root: same })
    );
  });
  if (!begins) return null;
  return {
    step: '1 item',
    a: BigInt(left.items.length),
    b: BigInt(right.items.length),
    textAt: (place) => {
      const last = longer.items[Number(place) - 1];
      return last === undefined ? '[]' : `${document.text.slice(longer.start, last.end)}]`;
    },
    wordsAt: (place) => counted(place, 'item'),
  };
}

function counted(count: bigint, noun: string): string {
  return `${count} ${noun}${count === 1n ? '' : 's'}`;
}

/** A value in a label: what is long is cut, and says so. */
export function shortValue(words: string): string {
  return words.length <= SHOWN_LENGTH
    ? words
    : `${words.slice(0, SHOWN_LENGTH)} (${words.length - SHOWN_LENGTH} more)`;
}
