/** Counting what a raw file tells, in the dumbest way; nothing of the importers is used for it. */
export type Count = (text: string) => number;

type Loose = Readonly<Record<string, unknown>>;

/** How often a pattern occurs. */
export const times =
  (pattern: RegExp): Count =>
  (text) =>
    [...text.matchAll(pattern)].length;

/** How many different things it finds: its group, or all of it. */
export const distinct =
  (pattern: RegExp): Count =>
  (text) =>
    new Set([...text.matchAll(pattern)].map(([whole, group]) => group ?? whole)).size;

/** How many objects of the JSON, at any depth, a test says yes to; with a key, how many different ones. */
export const objects =
  (isWanted: (object: Loose) => boolean, key: ((object: Loose) => unknown) | null = null): Count =>
  (text) => {
    const found = valuesIn(text).flatMap((value) => objectsIn(value).filter(isWanted));
    return key === null ? found.length : new Set(found.map((each) => String(key(each)))).size;
  };

/** One document, or one a line; what is neither is left out. */
function valuesIn(text: string): unknown[] {
  const whole = parse(text);
  if (whole !== undefined) return [whole];
  return text.split('\n').flatMap((line) => {
    const value = parse(line);
    return value === undefined ? [] : [value];
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function objectsIn(value: unknown): Loose[] {
  const found: Loose[] = [];
  const queue: unknown[] = [value];
  for (let at = 0; at < queue.length; at += 1) {
    const each = queue[at];
    if (typeof each !== 'object' || each === null) continue;
    if (!Array.isArray(each)) found.push({ ...each });
    for (const inner of Object.values(each)) queue.push(inner);
  }
  return found;
}

/** A member as text, '' where there is none. */
export const word = (object: Loose, key: string): string => {
  const value = object[key];
  return typeof value === 'string' ? value : '';
};

/** A member that is an object, {} where there is none. */
export const inner = (object: Loose, key: string): Loose => {
  const value = object[key];
  return typeof value === 'object' && value !== null ? { ...value } : {};
};

export const list = (object: Loose, key: string): Loose[] => {
  const value = object[key];
  return Array.isArray(value)
    ? value.flatMap((each: unknown) =>
        typeof each === 'object' && each !== null ? [{ ...each }] : [],
      )
    : [];
};
