import type { TcpSegment } from './packet.ts';
import { type StreamPart, TcpHalf } from './tcp-stream.ts';

/** One TCP connection as far as it was captured. */
export interface Connection {
  /** The two ends, `address:port`, in the order in which they were met. */
  readonly ends: readonly [string, string];
  readonly halves: readonly [TcpHalf, TcpHalf];
  /** Packets with data. */
  readonly packets: number[];
}

/** Sorts segments into connections; a port that is used again is another connection. */
export class Connections {
  readonly all: Connection[] = [];
  readonly #open = new Map<string, Connection>();

  add(segment: TcpSegment, packet: number, atNs: bigint | null): void {
    const { from, to, isSyn, sequence, payloadAt, payloadLength } = segment;
    const key = from < to ? `${from} ${to}` : `${to} ${from}`;
    let connection = this.#open.get(key);
    const known = connection?.halves[connection.ends[0] === from ? 0 : 1];
    if (connection === undefined || (isSyn && known?.isEmpty === false)) {
      connection = { ends: [from, to], halves: [new TcpHalf(), new TcpHalf()], packets: [] };
      this.#open.set(key, connection);
      this.all.push(connection);
    }
    const half = connection.halves[connection.ends[0] === from ? 0 : 1];
    const first = isSyn ? (sequence + 1) >>> 0 : sequence;
    if (isSyn) half.start(first);
    if (payloadLength === 0) return;
    half.add({ packet, sequence: first, offset: payloadAt, length: payloadLength, atNs });
    connection.packets.push(packet);
  }
}

/** What a connection carries that is no HTTP/1. */
export function nameOfProtocol(halves: readonly (readonly StreamPart[])[]): string {
  for (const [part] of halves) {
    const bytes = part?.bytes ?? new Uint8Array();
    const [first = 0, second = 0] = bytes;
    // TLS records: RFC 8446, section 5.1.
    if (first >= 0x14 && first <= 0x17 && second === 3) return 'tls';
    if (new TextDecoder('latin1').decode(bytes.subarray(0, 14)) === 'PRI * HTTP/2.0')
      return 'http2';
  }
  return 'other';
}
