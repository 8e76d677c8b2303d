import { type TargetName, TargetNameSchema } from '@misstep/model';

const LONGEST = 64;

/** A target's name made of a key of a configuration, numbered where it is taken. */
export function suggestName(entry: string, taken: ReadonlySet<string>): TargetName {
  const plain = entry
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, LONGEST);
  const base = plain === '' ? 'server' : plain;
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? '' : `-${number}`;
    const name = `${base.slice(0, LONGEST - ending.length)}${ending}`;
    if (!taken.has(name)) return TargetNameSchema.parse(name);
  }
}
