/** What a TCP segment says, its payload as a place in the bytes. */
export interface TcpSegment {
  /** `address:port`. */
  readonly from: string;
  readonly to: string;
  readonly sequence: number;
  readonly isSyn: boolean;
  readonly isReset: boolean;
  readonly payloadAt: number;
  /** As far as it was captured. */
  readonly payloadLength: number;
}

export type PacketContent = TcpSegment | { readonly other: string };

const IPV4 = 0x0800;
const IPV6 = 0x86dd;
const TCP = 6;

/** Reads the packet from `at` to `end` down to its TCP segment; anything else is named. */
export function readPacket(
  bytes: Uint8Array,
  linkType: number,
  at: number,
  end: number,
): PacketContent {
  const link = readLink(bytes, linkType, at, end);
  if ('other' in link) return link;
  if (link.protocol === IPV4) return readIpv4(bytes, link.at, end);
  if (link.protocol === IPV6) return readIpv6(bytes, link.at, end);
  return { other: 'no IP packet' };
}

/** Link types of the tcpdump registry that loopback, Ethernet and "any" captures have. */
function readLink(
  bytes: Uint8Array,
  linkType: number,
  at: number,
  end: number,
): { protocol: number; at: number } | { other: string } {
  const short = (offset: number): number => ((bytes[offset] ?? 0) << 8) | (bytes[offset + 1] ?? 0);
  const cut = { other: 'the packet is cut' };
  switch (linkType) {
    case 0:
    case 108: {
      if (at + 4 > end) return cut;
      // The address family in the byte order of the machine, whose number for IPv6 differs by system.
      const family = Math.max(bytes[at] ?? 0, bytes[at + 3] ?? 0);
      const protocol = family === 2 ? IPV4 : [10, 24, 28, 30].includes(family) ? IPV6 : 0;
      return { protocol, at: at + 4 };
    }
    case 1: {
      let typeAt = at + 12;
      while (typeAt + 6 <= end && [0x8100, 0x88a8, 0x9100].includes(short(typeAt))) typeAt += 4;
      return typeAt + 2 > end ? cut : { protocol: short(typeAt), at: typeAt + 2 };
    }
    case 12:
    case 14:
    case 101:
    case 228:
    case 229:
      return { protocol: (bytes[at] ?? 0) >> 4 === 6 ? IPV6 : IPV4, at };
    case 113:
      return at + 16 > end ? cut : { protocol: short(at + 14), at: at + 16 };
    case 276:
      return at + 20 > end ? cut : { protocol: short(at), at: at + 20 };
    default:
      return { other: `link type ${linkType} is not read` };
  }
}

function readIpv4(bytes: Uint8Array, at: number, end: number): PacketContent {
  const headerLength = ((bytes[at] ?? 0) & 15) * 4;
  if (headerLength < 20 || at + headerLength > end) return { other: 'the packet is cut' };
  const short = (offset: number): number =>
    ((bytes[at + offset] ?? 0) << 8) | (bytes[at + offset + 1] ?? 0);
  if ((short(6) & 0x3fff) !== 0) return { other: 'a fragment of an IP packet' };
  if (bytes[at + 9] !== TCP) return { other: 'another protocol than TCP' };
  // 0 where the network card cuts large packets itself.
  const total = short(2) === 0 ? end - at : short(2);
  const address = (offset: number): string =>
    [0, 1, 2, 3].map((index) => bytes[at + offset + index]).join('.');
  const tcpEnd = Math.min(end, at + total);
  return readTcp(bytes, at + headerLength, tcpEnd, address(12), address(16));
}

function readIpv6(bytes: Uint8Array, at: number, end: number): PacketContent {
  if (at + 40 > end) return { other: 'the packet is cut' };
  const short = (offset: number): number => ((bytes[offset] ?? 0) << 8) | (bytes[offset + 1] ?? 0);
  const payload = short(at + 4);
  const tcpEnd = payload === 0 ? end : Math.min(end, at + 40 + payload);
  let next = bytes[at + 6] ?? 0;
  let here = at + 40;
  // Hop-by-hop options, routing, destination options; a fragment header of a whole packet.
  while ([0, 43, 60, 44].includes(next)) {
    if (here + 8 > tcpEnd) return { other: 'the packet is cut' };
    const isFragment = next === 44;
    if (isFragment && (short(here + 2) & 0xfff9) !== 0) {
      return { other: 'a fragment of an IP packet' };
    }
    next = bytes[here] ?? 0;
    here += isFragment ? 8 : ((bytes[here + 1] ?? 0) + 1) * 8;
  }
  if (next !== TCP) return { other: 'another protocol than TCP' };
  const address = (offset: number): string => {
    const groups = [0, 2, 4, 6, 8, 10, 12, 14];
    return `[${groups.map((group) => short(at + offset + group).toString(16)).join(':')}]`;
  };
  return readTcp(bytes, here, tcpEnd, address(8), address(24));
}

function readTcp(
  bytes: Uint8Array,
  at: number,
  end: number,
  source: string,
  target: string,
): PacketContent {
  if (at + 20 > end) return { other: 'the packet is cut' };
  const byte = (offset: number): number => bytes[at + offset] ?? 0;
  const headerLength = (byte(12) >> 4) * 4;
  if (headerLength < 20) return { other: 'a TCP header that makes no sense' };
  const payloadAt = Math.min(end, at + headerLength);
  const flags = byte(13);
  return {
    from: `${source}:${(byte(0) << 8) | byte(1)}`,
    to: `${target}:${(byte(2) << 8) | byte(3)}`,
    sequence: ((byte(4) << 24) | (byte(5) << 16) | (byte(6) << 8) | byte(7)) >>> 0,
    isSyn: (flags & 2) !== 0,
    isReset: (flags & 4) !== 0,
    payloadAt,
    payloadLength: end - payloadAt,
  };
}
