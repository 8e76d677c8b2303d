/** Own members of parsed JSON of unknown shape; undefined or null where it isn't what was asked for. */
export function field(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return Reflect.get(value, key);
}

export function textField(value: unknown, key: string): string | null {
  const found = field(value, key);
  return typeof found === 'string' ? found : null;
}

/** A count: a whole number that isn't negative. */
export function countField(value: unknown, key: string): number | null {
  const found = field(value, key);
  return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : null;
}

export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
