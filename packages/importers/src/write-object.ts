import { encodeString } from '@misstep/json';

/** A JSON object of keys and values that are JSON already, in their order. */
export function writeObject(members: Iterable<readonly [string, string | number]>): string {
  return `{${[...members].map(([key, written]) => `${encodeString(key)}:${written}`).join(',')}}`;
}
