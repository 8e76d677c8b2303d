/** Protobuf's wire types: varint, 64 bits, length-delimited, a group (of old definitions), 32 bits. */
export type WireType = 0 | 1 | 2 | 3 | 5;

/** One field of a message, by the bytes of its value. */
export interface WireField {
  readonly number: number;
  readonly type: WireType;
  /** Where its tag begins. */
  readonly tagAt: number;
  /** The value: of a length-delimited field what the length counts, of a group all to the end of its end. */
  readonly start: number;
  readonly end: number;
  /** The value announces more bytes than there are: `end` is where they end. */
  readonly isCut: boolean;
}

/** What stands at `at` is no field: nothing behind it can be read either. */
export interface WireFault {
  readonly at: number;
  readonly reason: string;
}

const MAX_FIELD_NUMBER = 536_870_911;

/** Reads the field whose tag begins at `at`, which lies before `end`. */
export function readWireField(bytes: Uint8Array, at: number, end: number): WireField | WireFault {
  const tag = readVarint(bytes, at, end);
  if (tag === null) return { at, reason: 'the data is cut in a tag' };
  const number = Number(tag.value >> 3n);
  const type = Number(tag.value & 7n);
  if (number < 1 || number > MAX_FIELD_NUMBER) return { at, reason: 'no protobuf field' };
  const field = { number, tagAt: at, start: tag.end };
  switch (type) {
    case 0: {
      const value = readVarint(bytes, tag.end, end);
      if (value === null) return { at, reason: 'a varint is cut or longer than ten bytes' };
      return { ...field, type, end: value.end, isCut: false };
    }
    case 1:
      return { ...field, type, ...clipped(tag.end + 8, end) };
    case 2: {
      const length = readVarint(bytes, tag.end, end);
      if (length === null) return { at, reason: 'the data is cut in a length' };
      const start = length.end;
      // A length beyond all files is as much a cut as one that is short by a byte.
      const announced =
        length.value > 0xffff_ffffn ? Number.MAX_SAFE_INTEGER : Number(length.value);
      return { ...field, type, start, ...clipped(start + announced, end) };
    }
    case 3:
      return skipGroup(bytes, field, end);
    case 5:
      return { ...field, type, ...clipped(tag.end + 4, end) };
    default:
      return { at, reason: `no protobuf field (wire type ${type})` };
  }
}

/** No message that is read has groups; what stands behind one can be read all the same. */
function skipGroup(
  bytes: Uint8Array,
  group: Pick<WireField, 'number' | 'tagAt' | 'start'>,
  end: number,
): WireField | WireFault {
  const open = [group.number];
  for (let at = group.start; at < end; ) {
    const tag = readVarint(bytes, at, end);
    const type = tag === null ? null : Number(tag.value & 7n);
    const number = tag === null ? 0 : Number(tag.value >> 3n);
    if (tag !== null && type === 3) {
      open.push(number);
      at = tag.end;
    } else if (tag !== null && type === 4) {
      if (open.pop() !== number) return { at, reason: 'a group ends that was not begun' };
      at = tag.end;
      if (open.length === 0) return { ...group, type: 3, end: at, isCut: false };
    } else {
      const read = readWireField(bytes, at, end);
      if (isFault(read)) return read;
      if (read.isCut) break;
      at = read.end;
    }
  }
  return { ...group, type: 3, end, isCut: true };
}

export function isFault(read: WireField | WireFault): read is WireFault {
  return 'reason' in read;
}

function clipped(wanted: number, end: number): { end: number; isCut: boolean } {
  return wanted > end ? { end, isCut: true } : { end: wanted, isCut: false };
}

/** An unsigned varint of 64 bits at most; null where it doesn't end before `end`. */
export function readVarint(
  bytes: Uint8Array,
  at: number,
  end: number,
): { value: bigint; end: number } | null {
  let value = 0n;
  for (let count = 0; count < 10 && at + count < end; count += 1) {
    const byte = bytes[at + count] ?? 0;
    value |= BigInt(byte & 0x7f) << BigInt(7 * count);
    if (byte < 0x80) return { value: BigInt.asUintN(64, value), end: at + count + 1 };
  }
  return null;
}

/** Little-endian, as fixed32 and fixed64 are written. */
export function readFixed(bytes: Uint8Array, { start, end }: WireField): bigint {
  let value = 0n;
  for (let at = end - 1; at >= start; at -= 1) value = (value << 8n) | BigInt(bytes[at] ?? 0);
  return value;
}
