/** Packets and capture files for fixtures and tests; checksums are left at zero, as on loopback. */

export interface TcpSide {
  readonly address: string;
  readonly port: number;
  /** Of the next byte; goes on with each packet. */
  sequence: number;
}

export function tcpSide(address: string, port: number, sequence: number): TcpSide {
  return { address, port, sequence };
}

const SYN = 2;
const ACK = 16;

export interface IpPacket {
  readonly version: 4 | 6;
  readonly bytes: Buffer;
}

export function ipv4(
  from: TcpSide,
  to: TcpSide,
  payload: string | Uint8Array,
  flags = ACK,
): IpPacket {
  return {
    version: 4,
    bytes: wrapIpv4(from.address, to.address, 6, tcp(from, to, payload, flags)),
  };
}

export function ipv6(
  from: TcpSide,
  to: TcpSide,
  payload: string | Uint8Array,
  flags = ACK,
): IpPacket {
  const segment = tcp(from, to, payload, flags);
  const header = Buffer.alloc(40);
  header.writeUInt8(0x60, 0);
  header.writeUInt16BE(segment.length, 4);
  header.writeUInt8(6, 6);
  // `::1` on both sides.
  header.writeUInt8(1, 23);
  header.writeUInt8(1, 39);
  return { version: 6, bytes: Buffer.concat([header, segment]) };
}

export function udp(address: string, port: number, payload: string): IpPacket {
  const header = Buffer.alloc(8);
  header.writeUInt16BE(port, 0);
  header.writeUInt16BE(port, 2);
  header.writeUInt16BE(8 + payload.length, 4);
  const bytes = wrapIpv4(address, address, 17, Buffer.concat([header, Buffer.from(payload)]));
  return { version: 4, bytes };
}

function tcp(from: TcpSide, to: TcpSide, payload: string | Uint8Array, flags: number): Buffer {
  const data = Buffer.from(payload);
  const header = Buffer.alloc(20);
  header.writeUInt16BE(from.port, 0);
  header.writeUInt16BE(to.port, 2);
  header.writeUInt32BE(from.sequence >>> 0, 4);
  header.writeUInt32BE(to.sequence >>> 0, 8);
  header.writeUInt8(0x50, 12);
  header.writeUInt8(flags, 13);
  from.sequence = (from.sequence + data.length + ((flags & SYN) === 0 ? 0 : 1)) % 2 ** 32;
  return Buffer.concat([header, data]);
}

function wrapIpv4(from: string, to: string, protocol: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(20);
  header.writeUInt8(0x45, 0);
  header.writeUInt16BE(20 + payload.length, 2);
  header.writeUInt8(protocol, 9);
  Buffer.from(from.split('.').map(Number)).copy(header, 12);
  Buffer.from(to.split('.').map(Number)).copy(header, 16);
  return Buffer.concat([header, payload]);
}

const typeOf = ({ version }: IpPacket): number => (version === 4 ? 0x0800 : 0x86dd);

/** Padded to 60 bytes, as Ethernet is. */
export function ethernet(packet: IpPacket): Buffer {
  const header = Buffer.alloc(14);
  header.writeUInt16BE(typeOf(packet), 12);
  const frame = Buffer.concat([header, packet.bytes]);
  return frame.length >= 60 ? frame : Buffer.concat([frame, Buffer.alloc(60 - frame.length)]);
}

export function sll2(packet: IpPacket): Buffer {
  const header = Buffer.alloc(20);
  header.writeUInt16BE(typeOf(packet), 0);
  return Buffer.concat([header, packet.bytes]);
}

/** BSD loopback: the address family in the machine's byte order. */
export function nullLink(packet: IpPacket): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt32LE(packet.version === 4 ? 2 : 30);
  return Buffer.concat([header, packet.bytes]);
}

/** A classic capture file, little endian, in microseconds. */
export function classicCapture(
  linkType: number,
  packets: readonly { readonly atNs: bigint; readonly frame: Uint8Array }[],
): Buffer {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1b2c3d4);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(262_144, 16);
  header.writeUInt32LE(linkType, 20);
  const records = packets.flatMap(({ atNs, frame }) => {
    const record = Buffer.alloc(16);
    record.writeUInt32LE(Number(atNs / 1_000_000_000n), 0);
    record.writeUInt32LE(Number((atNs % 1_000_000_000n) / 1000n), 4);
    record.writeUInt32LE(frame.length, 8);
    record.writeUInt32LE(frame.length, 12);
    return [record, frame];
  });
  return Buffer.concat([header, ...records]);
}

/** Writes blocks of pcapng, big endian. */
export function nextGeneration(
  interfaces: readonly { readonly linkType: number; readonly resolution: number }[],
) {
  const blocks: Buffer[] = [];
  const block = (type: number, body: Buffer): void => {
    const padding = Buffer.alloc((4 - (body.length % 4)) % 4);
    const head = Buffer.alloc(8);
    const size = 12 + body.length + padding.length;
    head.writeUInt32BE(type, 0);
    head.writeUInt32BE(size, 4);
    const tail = Buffer.alloc(4);
    tail.writeUInt32BE(size);
    blocks.push(Buffer.concat([head, body, padding, tail]));
  };
  const section = Buffer.alloc(16, 0xff);
  section.writeUInt32BE(0x1a2b3c4d, 0);
  section.writeUInt16BE(1, 4);
  section.writeUInt16BE(0, 6);
  block(0x0a0d0d0a, section);
  for (const { linkType, resolution } of interfaces) {
    const body = Buffer.alloc(20);
    body.writeUInt16BE(linkType, 0);
    // Option if_tsresol, then the end of options.
    body.writeUInt16BE(9, 8);
    body.writeUInt16BE(1, 10);
    body.writeUInt8(resolution, 12);
    block(1, body);
  }
  return {
    packet(index: number, atNs: bigint, frame: Uint8Array, captured = frame.length): void {
      const resolution = interfaces[index]?.resolution ?? 6;
      const units = atNs / 10n ** BigInt(9 - resolution);
      const body = Buffer.alloc(20);
      body.writeUInt32BE(index, 0);
      body.writeUInt32BE(Number(units >> 32n), 4);
      body.writeUInt32BE(Number(units & 0xffffffffn), 8);
      body.writeUInt32BE(captured, 12);
      body.writeUInt32BE(frame.length, 16);
      block(6, Buffer.concat([body, frame.subarray(0, captured)]));
    },
    simplePacket(frame: Uint8Array): void {
      const body = Buffer.alloc(4);
      body.writeUInt32BE(frame.length);
      block(3, Buffer.concat([body, frame]));
    },
    finish: (): Buffer => Buffer.concat(blocks),
  };
}
