import { randomBytes } from 'node:crypto';
import { type Ulid, UlidSchema } from '@misstep/model';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;

/** A new ULID: 48 bits of time in milliseconds, 80 bits of randomness, Crockford base 32. */
export function createUlid(nowMs: number = Date.now(), random: Uint8Array = randomBytes(10)): Ulid {
  const randomValue = random.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
  return UlidSchema.parse(digits(BigInt(nowMs), TIME_DIGITS) + digits(randomValue, RANDOM_DIGITS));
}

function digits(value: bigint, count: number): string {
  let text = '';
  let rest = value;
  for (let at = 0; at < count; at += 1) {
    text = ALPHABET.charAt(Number(rest & 31n)) + text;
    rest >>= 5n;
  }
  return text;
}
