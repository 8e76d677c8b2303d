/** Amounts that only the run view writes; the rest is in ui/format-*. None of this touches recorded values. */

/** A place on the run's clock: `13.60 s`, `1:11.00`, `15:20.31`, `1:02:05.10`. */
export function placeText(ns: number): string {
  const hundredths = Math.round(ns / 1e7);
  const seconds = hundredths / 100;
  if (seconds < 100) return `${seconds.toFixed(2)} s`;
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = two(Math.floor(seconds % 60));
  const tail = `${rest}.${two(hundredths % 100)}`;
  return hours > 0 ? `${hours}:${two(minutes)}:${tail}` : `${minutes}:${tail}`;
}

/** Length of an idle stretch in words as short as its label: `14 m`, `90 s`, `2 h 10 m`, `3 d`. */
export function idleText(ns: number): string {
  const seconds = Math.round(ns / 1e9);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} m`;
  return `${Math.floor(hours / 24)} d`;
}

/** When a person did something, in local time: `29 Nov 09:12`. */
export function momentText(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const month = MONTHS[date.getMonth()] ?? '';
  return `${date.getDate()} ${month} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

function two(value: number): string {
  return String(value).padStart(2, '0');
}
