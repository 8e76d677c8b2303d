const LARGEST = 2n ** 63n - 1n;

/**
 * An INTEGER column holds 64 bits, a damaged or hostile recording may claim any time. What doesn't
 * fit leaves the column null and is kept as digits beside it.
 */
export function splitNanoseconds(value: bigint | null): {
  column: bigint | null;
  digits: string | null;
} {
  if (value === null || (value <= LARGEST && value >= -LARGEST)) {
    return { column: value, digits: null };
  }
  return { column: null, digits: value.toString() };
}

export function joinNanoseconds(column: bigint | null, digits: string | null | undefined) {
  return digits === null || digits === undefined ? column : BigInt(digits);
}
