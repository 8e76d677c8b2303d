import { writeFileSync } from 'node:fs';
import { encodeFrameRecord, FRAME_LOG_MAGIC } from '@misstep/model';
import { record } from './recording.ts';
import { writeSession } from './write-session.ts';
import { writeTicket } from './write-ticket.ts';

/** Thursday 26 November 2026, a quarter past nine. */
const BEGAN_NS = BigInt(Date.UTC(2026, 10, 26, 9, 14, 2)) * 1_000_000n;

const { frames, acts } = await record();
const isoTime = (atNs: bigint) => new Date(Number((BEGAN_NS + atNs) / 1_000_000n)).toISOString();
const encoder = new TextEncoder();
const log = [
  encoder.encode(FRAME_LOG_MAGIC),
  ...frames.map((frame) =>
    encodeFrameRecord({
      lane: frame.lane,
      monotonicNs: frame.atNs,
      wallNs: BEGAN_NS + frame.atNs,
      transport: 'stdio',
      connection: 'c1',
      payload: encoder.encode(frame.text),
    }),
  ),
];
const folder = new URL('../samples/', import.meta.url);
writeFileSync(new URL('hollow-farm-wire.frames', folder), Buffer.concat(log));
writeFileSync(new URL('hollow-farm-session.jsonl', folder), writeSession(acts, isoTime));
writeFileSync(
  new URL('hollow-farm-ticket.txt', folder),
  writeTicket(acts, (atNs) => isoTime(atNs).slice(11, 23)),
);
