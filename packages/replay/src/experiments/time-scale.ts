/** Two dates or times of one form as places on a scale of whole steps. */
export interface TimeScale {
  /** `1 day`, `1 minute`, `1 second`, `0.001 seconds`. */
  readonly step: string;
  readonly a: bigint;
  readonly b: bigint;
  textAt(place: bigint): string;
}

/** Date; separator, hours and minutes; seconds; their fraction; offset (RFC 3339, seconds optional). */
const FORM =
  /^(\d{4})-(\d\d)-(\d\d)(?:([Tt ])(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|z|[+-]\d\d:\d\d)?)?$/;

const DAY_MS = 86_400_000n;

/**
 * Null where one of them is no time, or they are written in different forms: the same separator,
 * precision and offset, so that what stands between can be written like them.
 */
export function readTimes(a: string, b: string): TimeScale | null {
  const [left, right] = [FORM.exec(a), FORM.exec(b)];
  if (left === null || right === null || formOf(left) !== formOf(right)) return null;
  const [, , , , separator, , , seconds, fraction, offset] = left;
  const digits = fraction?.length ?? 0;
  const perSecond = 10n ** BigInt(digits);
  const [mine, theirs] = [placeOf(left, perSecond), placeOf(right, perSecond)];
  if (mine === null || theirs === null) return null;
  if (separator === undefined) {
    const day = DAY_MS / 1000n;
    return {
      step: '1 day',
      a: mine / day,
      b: theirs / day,
      textAt: (place) => dateOf(place * DAY_MS).slice(0, 10),
    };
  }
  if (seconds === undefined) {
    return {
      step: '1 minute',
      a: mine / 60n,
      b: theirs / 60n,
      textAt: (place) => write(dateOf(place * 60_000n), 16, separator, '', offset),
    };
  }
  return {
    step: digits === 0 ? '1 second' : `0.${'1'.padStart(digits, '0')} seconds`,
    a: mine,
    b: theirs,
    textAt: (place) => {
      const part = ((place % perSecond) + perSecond) % perSecond;
      const text = digits === 0 ? '' : `.${part.toString().padStart(digits, '0')}`;
      return write(dateOf(((place - part) / perSecond) * 1000n), 19, separator, text, offset);
    },
  };
}

/** True where a text is written like a date or time, whether or not there is such a one. */
export function isTimeForm(text: string): boolean {
  return FORM.test(text);
}

/** False for 30 February and the like. */
export function isTimeThatIs(text: string): boolean {
  const match = FORM.exec(text);
  return match !== null && placeOf(match, 10n ** 9n) !== null;
}

function formOf([, , , , separator, , , seconds, fraction, offset]: RegExpExecArray): string {
  return JSON.stringify([separator, seconds === undefined, fraction?.length ?? null, offset]);
}

/** Steps of a second's fraction since 1970, the offset left aside; null where there is no such day or time. */
function placeOf(match: RegExpExecArray, perSecond: bigint): bigint | null {
  const [, year, month, day, , hours = '00', minutes = '00', seconds = '00', fraction = '0'] =
    match;
  const text = `${year}-${month}-${day}T${hours}:${minutes}:${seconds}.000Z`;
  const ms = Date.parse(text);
  // 30 February is read as a day in March by some: what was not written is not what was meant.
  if (Number.isNaN(ms) || new Date(ms).toISOString() !== text) return null;
  return (BigInt(ms) / 1000n) * perSecond + BigInt(fraction);
}

function dateOf(ms: bigint): string {
  return new Date(Number(ms)).toISOString();
}

function write(
  iso: string,
  length: number,
  separator: string,
  fraction: string,
  offset: string | undefined,
): string {
  return `${iso.slice(0, 10)}${separator}${iso.slice(11, length)}${fraction}${offset ?? ''}`;
}
