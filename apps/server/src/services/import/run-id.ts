import { createHash } from 'node:crypto';
import { type RunId, RunIdSchema, type SourceHash } from '@misstep/model';

const DIGITS = 'abcdefghijklmnopqrstuvwxyz234567';
const DIGIT_COUNT = 20;

/**
 * The same run of the same source read by the same format has the same id, also once the source
 * has grown: `lineage` is the first source of its line. 100 bits of SHA-256 in base 32.
 */
export function runIdOf(format: string, lineage: SourceHash, key: string): RunId {
  // A format's id and a hash hold no NUL, so the three can't run into one another.
  const digest = createHash('sha256').update(`${format}\0${lineage}\0${key}`).digest();
  let bits = 0n;
  for (const byte of digest) bits = (bits << 8n) | BigInt(byte);
  bits >>= BigInt(digest.length * 8 - DIGIT_COUNT * 5);
  let digits = '';
  for (let index = 0; index < DIGIT_COUNT; index += 1) {
    digits = DIGITS.charAt(Number(bits & 31n)) + digits;
    bits >>= 5n;
  }
  return RunIdSchema.parse(`r${digits}`);
}
