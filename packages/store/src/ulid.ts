import { randomBytes } from 'node:crypto';
import type { Ulid } from '@misstep/model';

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A new ULID: 48 bits of time in milliseconds, 80 random bits, Crockford base 32. */
export function createUlid(nowMs: number): Ulid {
  let time = '';
  for (let rest = nowMs, digit = 0; digit < 10; digit += 1) {
    time = DIGITS.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  let random = '';
  // 32 divides 256, so each byte's low five bits are evenly spread.
  for (const byte of randomBytes(16)) random += DIGITS.charAt(byte % 32);
  // Made to the form that UlidSchema checks.
  return (time + random) as Ulid;
}
