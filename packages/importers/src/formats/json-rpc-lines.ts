import { type JsonBytesDocument, parseJsonBytes, parseLooseJsonBytes } from '@misstep/json';
import type { RunClock } from '@misstep/model';
import { noteBareNumbers } from '../bare-numbers.ts';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { JsonRpcSessions } from '../json-rpc-session.ts';
import { refuseLongLine } from '../long-line.ts';
import { firstLine } from '../one-line.ts';
import { readLines, type SourceLine } from '../read-lines.ts';
import { counted, IssueList, RecordLedger, SetAside } from '../record-ledger.ts';
import { makeStep, originAt, valueAt } from '../step-builder.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { runOfFrames } from '../wire-run.ts';
import { type Envelope, readEnvelope } from './json-rpc-lines/envelope.ts';
import { readEnvelopeTime } from './json-rpc-lines/envelope-time.ts';
import { readRecorderLine, remarkOf } from './json-rpc-lines/recorder-line.ts';

/** JSON-RPC messages one a line, bare or in an envelope of direction and time. */
export const jsonRpcLines: Importer = {
  id: 'json-rpc-lines',
  title: 'JSON-RPC lines',
  evidence: 'wire',
  revision: 6,
  sniff,
  read,
};

function sniff(head: SourceHead): number {
  // A first line longer than the head can't be read as JSON, but shows its first keys.
  if (head.lines.length === 0) {
    return /^[[{].{0,400}"jsonrpc"\s*:\s*"2\.0"/s.test(head.text) ? 0.6 : 0;
  }
  const rpc = head.lines.filter(
    (line, index) => head.lineValues[index] !== undefined && mentionsRpc(line),
  ).length;
  return rpc === 0 ? 0 : 0.95 * (rpc / head.lines.length);
}

/** `"jsonrpc":"2.0"` at the top of the line or one level down, also inside a JSON string. */
function mentionsRpc(line: string): boolean {
  if (!/\\?"jsonrpc\\?"\s*:\s*\\?"2\.0\\?"/.test(line)) return false;
  const parsed = parseJsonBytes(new TextEncoder().encode(line));
  return parsed.ok && readEnvelope(parsed.value) !== null;
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const { main, signal, onProgress } = input;
  const state = new LinesState(input);
  for await (const line of readLines(main, signal)) {
    state.readLine(line);
    onProgress?.({
      readBytes: line.offset + line.length,
      records: state.ledger.total,
      steps: state.sessions.steps.length,
    });
  }
  const run = runOfFrames(state.sessions, main.name, state.clock ?? 'none');
  return {
    runs: run === null ? [] : [run],
    sources: [state.ledger.account()],
    issues: state.issues.list(),
  };
}

const LIFECYCLE = new SetAside('the recorder says that a connection ends or changes');

const RECORDER = new SetAside('what the recorder says of itself');

class LinesState {
  readonly ledger: RecordLedger;
  readonly issues = new IssueList();
  readonly sessions: JsonRpcSessions;
  clock: RunClock | null = null;
  readonly #sha256: ImportInput['main']['sha256'];

  constructor({ main }: ImportInput) {
    this.#sha256 = main.sha256;
    this.ledger = new RecordLedger(main.sha256);
    this.sessions = new JsonRpcSessions(main.sha256, this.issues);
  }

  readLine(line: SourceLine): void {
    if (line.tooLong) {
      refuseLongLine(line, this.ledger, this.issues);
      return;
    }
    if (line.invalidUtf8At !== null) {
      this.issues.count(
        'INVALID_UTF8',
        (count) =>
          `${counted(count, 'line')} with bytes that are no UTF-8; they are shown as U+FFFD.`,
        this.#sha256,
        line.invalidUtf8At,
      );
    }
    const parsed = parseLooseJsonBytes(line.bytes);
    if (!parsed.ok) {
      const why = line.closed ? parsed.error.message : 'the last line is cut';
      this.ledger.malformed(line, why);
      return;
    }
    noteBareNumbers(parsed.value, line.offset, this.#sha256, this.issues);
    const envelope = readEnvelope(parsed.value);
    if (envelope === null) {
      this.#readOtherLine(line, parsed.value);
    } else if (envelope.kind === 'lifecycle') {
      if (envelope.starts) this.sessions.restart(envelope.connection);
      this.ledger.take(line, envelope.starts ? null : LIFECYCLE);
    } else {
      this.#readMessage(line, envelope);
    }
  }

  #readOtherLine(line: SourceLine, document: JsonBytesDocument): void {
    const told = readRecorderLine(document);
    if (told === null) this.ledger.notUnderstood(line, 'no JSON-RPC message in it');
    else if (told.kind === 'own') this.ledger.setAside(line, RECORDER);
    else {
      const { text, offset, length } = told;
      const value = originAt(this.#sha256, { offset: line.offset + offset, length }, '/text');
      const step = makeStep({
        id: this.sessions.nextId(line.offset),
        kind: 'note',
        name: 'Server stderr',
        evidence: 'wire',
        origin: originAt(this.#sha256, line),
        content: [{ kind: 'text', value: valueAt(value, 'json-string', 'wire') }],
        summary: firstLine(text),
      });
      this.sessions.addStep(step);
      this.ledger.understood();
    }
  }

  #readMessage(line: SourceLine, envelope: Envelope): void {
    const time = readEnvelopeTime(envelope.document, envelope.time);
    if (time !== null) this.#noteClock(time.clock, line);
    const usable = time !== null && time.clock === this.clock ? time.ns : null;
    const payload = envelope.payload(this.#sha256, line.offset);
    const frame = {
      direction: envelope.direction,
      transport: 'unknown',
      connection: envelope.connection,
      server: envelope.server,
      monotonicNs: this.clock === 'monotonic' ? usable : null,
      wallNs: this.clock === 'monotonic' ? null : usable,
      timeText: time?.text ?? null,
      origin: payload.origin,
      sizeBytes: payload.sizeBytes,
      recordOffset: line.offset,
      transportRemark: remarkOf(envelope.document, envelope.document.root),
    } as const;
    if (payload.node === null) {
      this.sessions.addUnreadableFrame(frame, 'noise', 'text on the transport that is no JSON');
      this.ledger.notUnderstood(line, 'the message is no JSON');
      return;
    }
    const known = this.sessions.addFrame({
      ...frame,
      document: payload.document,
      node: payload.node,
      capture: payload.capture,
    });
    if (known) this.ledger.understood();
    else this.ledger.notUnderstood(line, 'not a JSON-RPC message');
  }

  #noteClock(clock: RunClock, line: SourceLine): void {
    if (this.clock === null) this.clock = clock;
    else if (this.clock !== clock) {
      this.issues.count(
        'CLOCK_MIXED',
        (count) => `${counted(count, 'time')} of another kind than the first can't be placed.`,
        this.#sha256,
        line.offset,
      );
    }
  }
}
