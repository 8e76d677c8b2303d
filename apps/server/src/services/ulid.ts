import { randomBytes } from 'node:crypto';
import { type Ulid, UlidSchema } from '@misstep/model';

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A new ULID: 48 bits of time in milliseconds, then 80 random bits, in Crockford base 32. */
export function createUlid(nowMs: number): Ulid {
  let time = '';
  for (let rest = nowMs, index = 0; index < 10; index += 1) {
    time = DIGITS.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  const random = [...randomBytes(16)].map((byte) => DIGITS.charAt(byte % 32)).join('');
  return UlidSchema.parse(time + random);
}
