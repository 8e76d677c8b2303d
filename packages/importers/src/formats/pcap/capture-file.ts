/** A record of a capture file: a packet, or a block of pcapng that is none. */
export interface CaptureRecord {
  readonly offset: number;
  readonly length: number;
  /** Null where the record is no packet. */
  readonly packet: {
    readonly linkType: number;
    /** Since 1970; null where the file keeps no time (Simple Packet Blocks). */
    readonly atNs: bigint | null;
    /** Where the captured bytes stand in the file. */
    readonly dataAt: number;
    readonly capturedLength: number;
    /** The packet was longer than what was captured. */
    readonly isCut: boolean;
  } | null;
}

export type CaptureEnd = { readonly offset: number; readonly reason: string } | null;

const BLOCK_SECTION = 0x0a0d0d0a;
const BYTE_ORDER = 0x1a2b3c4d;
const NS_PER_SECOND = 1_000_000_000n;
const PCAP_MAGIC: ReadonlyMap<number, { littleEndian: boolean; nsPerUnit: bigint }> = new Map([
  [0xa1b2c3d4, { littleEndian: false, nsPerUnit: 1000n }],
  [0xa1b23c4d, { littleEndian: false, nsPerUnit: 1n }],
  [0xd4c3b2a1, { littleEndian: true, nsPerUnit: 1000n }],
  [0x4d3cb2a1, { littleEndian: true, nsPerUnit: 1n }],
]);

/** True for the first bytes of a classic pcap file or of a pcapng file. */
export function looksLikeCapture(bytes: Uint8Array): boolean {
  if (bytes.length < 12) return false;
  const view = viewOf(bytes);
  const magic = view.getUint32(0);
  if (PCAP_MAGIC.has(magic)) return true;
  if (magic !== BLOCK_SECTION) return false;
  return view.getUint32(8) === BYTE_ORDER || view.getUint32(8, true) === BYTE_ORDER;
}

/**
 * Records of a capture file in file order (pcap: draft-ietf-opsawg-pcap; pcapng:
 * draft-ietf-opsawg-pcapng, sections 3 and 4). Returns where and why reading ended early; null at
 * the end of the file.
 */
export function* readCapture(bytes: Uint8Array): Generator<CaptureRecord, CaptureEnd> {
  if (bytes.length < 4) return { offset: 0, reason: 'too short for a capture file' };
  const magic = PCAP_MAGIC.get(viewOf(bytes).getUint32(0));
  if (magic !== undefined) return yield* readClassic(bytes, magic);
  return yield* readBlocks(bytes);
}

function* readClassic(
  bytes: Uint8Array,
  { littleEndian, nsPerUnit }: { littleEndian: boolean; nsPerUnit: bigint },
): Generator<CaptureRecord, CaptureEnd> {
  if (bytes.length < 24) return { offset: 0, reason: 'the file header is cut' };
  const view = viewOf(bytes);
  // The upper bits tell of checksums at the end of frames.
  const linkType = view.getUint32(20, littleEndian) & 0x03ffffff;
  for (let at = 24; at < bytes.length; ) {
    if (at + 16 > bytes.length) return { offset: at, reason: 'the last packet is cut' };
    const capturedLength = view.getUint32(at + 8, littleEndian);
    const length = 16 + capturedLength;
    if (at + length > bytes.length) return { offset: at, reason: 'the last packet is cut' };
    const seconds = BigInt(view.getUint32(at, littleEndian));
    const atNs = seconds * NS_PER_SECOND + BigInt(view.getUint32(at + 4, littleEndian)) * nsPerUnit;
    const isCut = view.getUint32(at + 12, littleEndian) > capturedLength;
    const packet = { linkType, atNs, dataAt: at + 16, capturedLength, isCut };
    yield { offset: at, length, packet };
    at += length;
  }
  return null;
}

interface Interface {
  readonly linkType: number;
  readonly snapLength: number;
  readonly toNs: (units: bigint) => bigint;
}

function* readBlocks(bytes: Uint8Array): Generator<CaptureRecord, CaptureEnd> {
  const view = viewOf(bytes);
  let littleEndian = true;
  let interfaces: Interface[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (at + 12 > bytes.length) return { offset: at, reason: 'the last block is cut' };
    const isSection = view.getUint32(at) === BLOCK_SECTION;
    if (isSection) {
      littleEndian = view.getUint32(at + 8, true) === BYTE_ORDER;
      if (!littleEndian && view.getUint32(at + 8) !== BYTE_ORDER) {
        return { offset: at, reason: 'a section without a byte order' };
      }
      interfaces = [];
    }
    const type = view.getUint32(at, littleEndian);
    const length = view.getUint32(at + 4, littleEndian);
    if (length < 12 || length % 4 !== 0) {
      return { offset: at, reason: 'a block whose length makes no sense' };
    }
    if (at + length > bytes.length) return { offset: at, reason: 'the last block is cut' };
    if (type === 1 && length >= 20) {
      interfaces.push(interfaceAt(view, at, length, littleEndian));
    }
    yield {
      offset: at,
      length,
      packet: packetAt(view, at, type, length, littleEndian, interfaces),
    };
    at += length;
  }
  return null;
}

function packetAt(
  view: DataView,
  at: number,
  type: number,
  length: number,
  littleEndian: boolean,
  interfaces: readonly Interface[],
): CaptureRecord['packet'] {
  const number = (offset: number): number => view.getUint32(at + offset, littleEndian);
  if (type === 3 && length >= 16) {
    const from = interfaces[0];
    if (from === undefined) return null;
    const size = number(8);
    const limit = from.snapLength === 0 ? size : Math.min(size, from.snapLength);
    const capturedLength = Math.min(limit, length - 16);
    const { linkType } = from;
    return { linkType, atNs: null, dataAt: at + 12, capturedLength, isCut: size > capturedLength };
  }
  // 6 = Enhanced Packet Block, 2 = the obsolete Packet Block, whose interface has 16 bits.
  if ((type !== 6 && type !== 2) || length < 32) return null;
  const from = interfaces[type === 6 ? number(8) : view.getUint16(at + 8, littleEndian)];
  const capturedLength = number(20);
  if (from === undefined || capturedLength > length - 32) return null;
  const units = (BigInt(number(12)) << 32n) | BigInt(number(16));
  const isCut = number(24) > capturedLength;
  const { linkType, toNs } = from;
  return { linkType, atNs: toNs(units), dataAt: at + 28, capturedLength, isCut };
}

function interfaceAt(view: DataView, at: number, length: number, littleEndian: boolean): Interface {
  let resolution = 6;
  let offsetSeconds = 0n;
  for (let option = at + 16; option + 4 <= at + length - 4; ) {
    const code = view.getUint16(option, littleEndian);
    const size = view.getUint16(option + 2, littleEndian);
    if (code === 0 || option + 4 + size > at + length - 4) break;
    if (code === 9 && size >= 1) resolution = view.getUint8(option + 4);
    if (code === 14 && size >= 8) offsetSeconds = view.getBigInt64(option + 4, littleEndian);
    option += 4 + size + ((4 - (size % 4)) % 4);
  }
  const isBinary = (resolution & 0x80) !== 0;
  const power = BigInt(resolution & 0x7f);
  const perSecond = isBinary ? 1n << power : 10n ** power;
  return {
    linkType: view.getUint16(at + 8, littleEndian),
    snapLength: view.getUint32(at + 12, littleEndian),
    toNs: (units) => (units * NS_PER_SECOND) / perSecond + offsetSeconds * NS_PER_SECOND,
  };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
