const NS_PER_MS = 1e6;
const MS_PER_SECOND = 1000;
const SECONDS_PER_MINUTE = 60;
const MINUTES_PER_HOUR = 60;

/**
 * A run's length in words, two units at most: "0.4 s", "39 s", "16 m 52 s", "2 h 14 m".
 * Takes nanoseconds; negative ones keep their sign.
 */
export function formatLongDuration(durationNs: number): string {
  if (durationNs < 0) return `−${formatLongDuration(-durationNs)}`;
  const seconds = durationNs / NS_PER_MS / MS_PER_SECOND;
  if (seconds < 10) return formatStepDuration(durationNs);
  const whole = Math.round(seconds);
  if (whole < SECONDS_PER_MINUTE) return `${whole} s`;
  const minutes = Math.floor(whole / SECONDS_PER_MINUTE);
  if (minutes < MINUTES_PER_HOUR) {
    return `${minutes} m ${twoDigits(whole % SECONDS_PER_MINUTE)} s`;
  }
  const wholeMinutes = Math.round(whole / SECONDS_PER_MINUTE);
  return `${Math.floor(wholeMinutes / MINUTES_PER_HOUR)} h ${twoDigits(wholeMinutes % MINUTES_PER_HOUR)} m`;
}

/** A step's length: "84 µs", "310 ms", "2.31 s", "12.2 s", "37.1 s", then as a run's. Nanoseconds. */
export function formatStepDuration(durationNs: number): string {
  if (durationNs < 0) return `−${formatStepDuration(-durationNs)}`;
  if (durationNs === 0) return '0 s';
  if (durationNs < 1000) return `${Math.round(durationNs)} ns`;
  if (durationNs < 999_500) return `${Math.round(durationNs / 1000)} µs`;
  const milliseconds = durationNs / NS_PER_MS;
  if (milliseconds < 10) return `${roundTo(milliseconds, 1)} ms`;
  if (milliseconds < 100) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / MS_PER_SECOND;
  if (seconds < 9.995) return `${seconds.toFixed(2)} s`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  return formatLongDuration(durationNs);
}

/** Position on a run's axis: "0:00", "1:10", "15:20", "1:02:05". Nanoseconds since its start. */
export function formatAxisTime(offsetNs: number): string {
  const sign = offsetNs < 0 ? '−' : '';
  const seconds = Math.floor(Math.abs(offsetNs) / NS_PER_MS / MS_PER_SECOND);
  const minutes = Math.floor(seconds / SECONDS_PER_MINUTE);
  const hours = Math.floor(minutes / MINUTES_PER_HOUR);
  const tail = `${hours > 0 ? twoDigits(minutes % MINUTES_PER_HOUR) : minutes}:${twoDigits(seconds % SECONDS_PER_MINUTE)}`;
  return hours > 0 ? `${sign}${hours}:${tail}` : `${sign}${tail}`;
}

/** What is left of something that runs, in whole seconds: "6 s left", "2 m 10 s left". */
export function formatTimeLeft(remainingMs: number): string {
  const seconds = Math.max(1, Math.ceil(remainingMs / MS_PER_SECOND));
  if (seconds < SECONDS_PER_MINUTE) return `${seconds} s left`;
  return `${formatLongDuration(seconds * MS_PER_SECOND * NS_PER_MS)} left`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export interface DateParts {
  readonly year: number;
  /** 0 = January. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** "28 Nov 16:04"; with the year where it isn't the present one: "28 Nov 2025". */
export function formatDateParts(parts: DateParts, presentYear: number): string {
  const date = `${parts.day} ${MONTHS[parts.month] ?? '?'}`;
  if (parts.year !== presentYear) return `${date} ${parts.year}`;
  return `${date} ${twoDigits(parts.hour)}:${twoDigits(parts.minute)}`;
}

/** An instant in the zone of this machine. */
export function datePartsOfInstant(milliseconds: number): DateParts {
  const date = new Date(milliseconds);
  return {
    year: date.getFullYear(),
    month: date.getMonth(),
    day: date.getDate(),
    hour: date.getHours(),
    minute: date.getMinutes(),
  };
}

/** A wall-clock time that lacks a zone: read as written, never shifted. */
export function datePartsOfLocal(milliseconds: number): DateParts {
  const date = new Date(milliseconds);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
  };
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

function roundTo(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}

/** An instant in this machine's time, without the year where it is this one; null = `none`. */
export function formatMoment(iso: string | null): string {
  if (iso === null) return 'none';
  return formatDateParts(datePartsOfInstant(Date.parse(iso)), new Date().getFullYear());
}
