import { decodeUtf8, parseJsonBytes } from '@misstep/json';
import {
  FRAME_LOG_MAGIC,
  type FrameLogEntry,
  type SourceHash,
  startsWithMagic,
  streamFrameLog,
} from '@misstep/model';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { JsonRpcSessions } from '../json-rpc-session.ts';
import { firstLine, oneLine } from '../one-line.ts';
import { IssueList, RecordLedger } from '../record-ledger.ts';
import { nsInRange } from '../source-time.ts';
import { makeStep, originAt, valueAt } from '../step-builder.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { runOfFrames } from '../wire-run.ts';
import { placedValue } from '../wire-value.ts';

/** Misstep's own wire recording (docs/formats/frame-log.md). */
export const frameLog: Importer = {
  id: 'frame-log',
  title: 'Misstep frame log',
  evidence: 'wire',
  revision: 2,
  sniff,
  read,
};

const RECORD_LINE = /^F [<>!#] -?\d+ -?\d+ [a-z-]+ [\w-]+ \d+ [0-9a-f]{8}$/;

function sniff(head: SourceHead): number {
  if (startsWithMagic(head.bytes)) return 1;
  const first = head.lines[0] ?? '';
  if (head.whole && first.length > 4 && FRAME_LOG_MAGIC.startsWith(first)) return 0.8;
  return head.lines.some((line) => RECORD_LINE.test(line)) ? 0.9 : 0;
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const { main } = input;
  const ledger = new RecordLedger(main.sha256);
  const issues = new IssueList();
  const sessions = new JsonRpcSessions(main.sha256, issues);
  let next: NextFrame = NOTHING_SAID;
  const read = (offset: number, length: number) => main.read(offset, length);
  for await (const found of streamFrameLog(main.sizeBytes, read)) {
    input.signal?.throwIfAborted();
    if ('reason' in found) {
      const { offset, length, reason } = found;
      ledger.malformed({ offset, length }, reason);
      const said = `${length} bytes can't be read: ${reason}.`;
      issues.add('FRAME_LOG_DAMAGED', said, main.sha256, offset);
    } else next = readEntry(found, sessions, ledger, main.sha256, next);
    if (ledger.total % 64 !== 0) continue;
    const readBytes = found.offset + found.length;
    input.onProgress?.({ readBytes, records: ledger.total, steps: sessions.steps.length });
  }
  const run = runOfFrames(sessions, main.name, 'zoned');
  return {
    runs: run === null ? [] : [run],
    sources: [ledger.account()],
    issues: issues.list(),
  };
}

/** Returns what the entry says of the next frame. */
function readEntry(
  entry: FrameLogEntry,
  sessions: JsonRpcSessions,
  ledger: RecordLedger,
  sha256: SourceHash,
  next: NextFrame,
): NextFrame {
  const { lane, payload, payloadOffset, connection } = entry;
  const record = { offset: entry.offset, length: entry.length };
  const payloadSpan = { offset: payloadOffset, length: payload.length };
  if (lane === '#' || lane === '!') {
    ledger.understood();
    return addNote(entry, sessions, sha256);
  }
  const frame = {
    direction: lane === '>' ? 'client-to-server' : 'server-to-client',
    transport: entry.transport,
    connection,
    server: null,
    monotonicNs: nsInRange(entry.monotonicNs),
    wallNs: nsInRange(entry.wallNs),
    timeText: String(entry.wallNs),
    origin: originAt(sha256, payloadSpan),
    sizeBytes: payload.length,
    recordOffset: entry.offset,
    transportRemark: next.remark,
  } as const;
  if (next.isCutByUs) {
    const why = next.remark ?? 'cut by Misstep';
    sessions.addUnreadableFrame(frame, 'cut', why);
    ledger.notUnderstood(record, why);
    return NOTHING_SAID;
  }
  const parsed = parseJsonBytes(payload);
  if (!parsed.ok) {
    const noise = !/^\s*[[{]/.test(decodeUtf8(payload.subarray(0, 64)).text);
    const why = noise ? 'text on the transport that is no JSON' : parsed.error.message;
    sessions.addUnreadableFrame(frame, noise ? 'noise' : 'malformed', why);
    ledger.notUnderstood(record, why);
    return NOTHING_SAID;
  }
  const place = { document: parsed.value, sha256, offset: payloadOffset };
  const known = sessions.addFrame({
    ...frame,
    document: parsed.value,
    node: parsed.value.root,
    capture: (node, pointer) => placedValue(place, node, pointer, 'wire'),
  });
  if (known) ledger.understood();
  else ledger.notUnderstood(record, 'not a JSON-RPC message');
  return NOTHING_SAID;
}

/** A note for what happened to the connection or what the server wrote to stderr. */
function addNote(entry: FrameLogEntry, sessions: JsonRpcSessions, sha256: SourceHash): NextFrame {
  const { text } = decodeUtf8(entry.payload);
  const span = { offset: entry.payloadOffset, length: entry.payload.length };
  const event = entry.lane === '#' ? readEvent(text) : null;
  if (event?.kind === 'started') sessions.restart(entry.connection);
  const name =
    entry.lane === '!' ? 'Server stderr' : `Connection ${oneLine(event?.kind ?? 'event', 60)}`;
  const value = valueAt(originAt(sha256, span), 'text', 'wire');
  sessions.addStep(
    makeStep({
      id: sessions.nextId(entry.offset),
      kind: entry.lane === '!' ? 'note' : 'protocol',
      name,
      evidence: 'wire',
      origin: originAt(sha256, span),
      content: [{ kind: 'text', value }],
      summary: firstLine(event?.text ?? text),
      time: {
        startedAtNs: nsInRange(entry.wallNs),
        endedAtNs: null,
        startedAtText: String(entry.wallNs),
        endedAtText: null,
        evidence: 'wire',
      },
    }),
  );
  return event?.next ?? NOTHING_SAID;
}

/** What a record says of the frame after it. */
interface NextFrame {
  readonly remark: string | null;
  /** A cap of Misstep's cut it, so its missing end is no fault of the server's. */
  readonly isCutByUs: boolean;
}

const NOTHING_SAID: NextFrame = { remark: null, isCutByUs: false };
/** How logs say it that have no word of their own for it. */
const CUT_WORDS = /^Cut at \d+ bytes, the largest frame that is kept\.$/;

function readEvent(text: string): { kind: string; text: string; next: NextFrame } | null {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof event !== 'object' || event === null) return null;
  const field = (key: string): string | null => {
    const value: unknown = Object.hasOwn(event, key) ? Reflect.get(event, key) : null;
    return typeof value === 'string' ? value : null;
  };
  const kind = field('kind') ?? field('event');
  if (kind === null) return null;
  const remark = field('nextFrameRemark');
  const isTrue = (key: string) => Object.hasOwn(event, key) && Reflect.get(event, key) === true;
  return {
    kind,
    text: field('text') ?? field('command') ?? text,
    next: {
      remark,
      isCutByUs: isTrue('nextFrameIsCutByUs') || CUT_WORDS.test(remark ?? ''),
    },
  };
}
