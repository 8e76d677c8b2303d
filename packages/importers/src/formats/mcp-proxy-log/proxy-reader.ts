import { type JsonNode, nodeText, parseJson } from '@misstep/json';
import type { CapturedValue, Elision, FrameDirection, Origin, RunClock } from '@misstep/model';
import type { ImportInput, ImportResult } from '../../importer.ts';
import { JsonRpcSessions } from '../../json-rpc-session.ts';
import { IssueList, type RecordFate, RecordLedger, SetAside } from '../../record-ledger.ts';
import { readTime } from '../../source-time.ts';
import { inlineValue } from '../../step-builder.ts';
import { runOfFrames } from '../../wire-run.ts';
import { type Cut, readPrinted } from './printed-value.ts';

const TOLD_TWICE = new SetAside('the message that its bytes were shown of before');
const OWN = new SetAside('what the proxy says of itself');

/** `[D 2026-01-12 10:01:14,167.167 mcp.client.sse] ...` and other heads of Python's logging. */
const PYTHON_TIME = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:[,.]\d{3})?/;
export const PYTHON_MESSAGE =
  /(Sending client message|Validated client message|Received server message|SSE message|Sending message via SSE): .{0,80}?\broot=(?=JSONRPC(?:Request|Notification|Response|Error)\()/;

interface Printed {
  readonly json: string;
  readonly cuts: readonly Cut[];
  readonly direction: FrameDirection;
  readonly timeText: string | null;
}

/** Reads entries of either proxy's log. */
export class ProxyReader {
  readonly ledger: RecordLedger;
  readonly #issues = new IssueList();
  readonly #sessions: JsonRpcSessions;
  /** Messages of which the bytes were shown and that were not told of yet. */
  #shown = 0;
  #rest: string | null = '';
  #clock: RunClock = 'none';

  constructor({ main }: ImportInput) {
    this.ledger = new RecordLedger(main.sha256);
    this.#sessions = new JsonRpcSessions(main.sha256, this.#issues);
  }

  readLine(text: string, record: Origin): void {
    const match = PYTHON_MESSAGE.exec(text);
    if (match === null) {
      this.ledger.setAside(record, OWN);
      return;
    }
    const printed = readPrinted(text, match.index + match[0].length);
    if (printed === null) {
      this.ledger.malformed(record, 'a message that is cut or printed in another way');
      return;
    }
    const isSent = match[1] === 'Sending client message' || match[1] === 'Validated client message';
    const direction = isSent ? 'client-to-server' : 'server-to-client';
    const timeText = PYTHON_TIME.exec(text.slice(0, match.index))?.[0] ?? null;
    this.ledger.take(record, this.#add({ ...printed, direction, timeText }, record));
  }

  /** A block `transport event { ... }`, as Node prints it. */
  readBlock(text: string, record: Origin): void {
    const printed = readPrinted(text, text.indexOf('{'));
    const parsed = printed === null ? null : parseJson(printed.json);
    if (printed === null || parsed?.ok !== true) {
      this.ledger.malformed(record, 'an event that is cut or printed in another way');
      return;
    }
    const { value: document } = parsed;
    const member = (key: string): JsonNode | undefined =>
      document.root.kind === 'object'
        ? document.root.members.find(({ key: name }) => nodeText(document, name) === `"${key}"`)
            ?.value
        : undefined;
    const said = member('type');
    const type = said === undefined ? '' : nodeText(document, said);
    const chunk = member('chunk');
    const message = member('message');
    if (type === '"data"' && chunk?.kind === 'string') {
      const isCut = printed.cuts.some(({ pointer }) => pointer === '/chunk');
      const bytes: unknown = JSON.parse(nodeText(document, chunk));
      this.ledger.take(record, this.#addChunk(String(bytes), isCut, record));
    } else if ((type === '"message"' || type === '"send"') && message !== undefined) {
      const isSent = type === '"send"';
      if (!isSent && this.#shown > 0) {
        this.#shown -= 1;
        this.ledger.setAside(record, TOLD_TWICE);
        return;
      }
      if (!isSent) this.#rest = null;
      const cuts = printed.cuts.flatMap((cut) => below(cut, '/message'));
      const direction = isSent ? 'client-to-server' : 'server-to-client';
      const json = nodeText(document, message);
      this.ledger.take(record, this.#add({ json, cuts, direction, timeText: null }, record));
    } else this.ledger.setAside(record, OWN);
  }

  finish(name: string): ImportResult {
    const run = runOfFrames(this.#sessions, name, this.#clock);
    const asked = run?.frames.some(({ direction }) => direction === 'client-to-server') ?? true;
    if (!asked) {
      this.#issues.add(
        'REQUESTS_NOT_RECORDED',
        'The log holds what the server sent and nothing that was sent to it: answers have no calls.',
        this.ledger.sha256,
      );
    }
    return {
      runs: run === null ? [] : [run],
      sources: [this.ledger.account()],
      issues: this.#issues.list(),
    };
  }

  /** Bytes from the server: whole lines are messages, wherever the pipe cut them. */
  #addChunk(chunk: string, isCut: boolean, record: Origin): RecordFate {
    if (this.#rest === null && !chunk.startsWith('{')) return null;
    const lines = `${this.#rest ?? ''}${chunk}`.split('\n');
    this.#rest = isCut ? null : (lines.pop() ?? '');
    let fate: RecordFate = null;
    for (const json of isCut ? lines.slice(0, -1) : lines) {
      if (json.trim() === '') continue;
      const shared = { cuts: [], direction: 'server-to-client', timeText: null } as const;
      const added = this.#add({ json: json.trim(), ...shared }, record);
      if (added === null) this.#shown += 1;
      fate = added ?? fate;
    }
    return fate;
  }

  #add({ json, cuts, direction, timeText }: Printed, record: Origin): RecordFate {
    const parsed = parseJson(json);
    if (!parsed.ok) return 'not a JSON-RPC message';
    const { value: document } = parsed;
    const time = timeText === null ? null : readTime(timeText);
    if (time !== null) this.#clock = 'local';
    const known = this.#sessions.addFrame({
      direction,
      transport: 'unknown',
      connection: '',
      server: null,
      monotonicNs: null,
      wallNs: time?.ns ?? null,
      timeText,
      document,
      node: document.root,
      origin: record,
      sizeBytes: new TextEncoder().encode(json).length,
      recordOffset: record.offset,
      transportRemark: cuts.length > 0 ? 'cut by the log' : null,
      capture: (node, pointer): CapturedValue =>
        inlineValue(nodeText(document, node), record, 'wire', elisionsBelow(cuts, pointer)),
    });
    return known ? null : 'not a JSON-RPC message';
  }
}

function elisionsBelow(cuts: readonly Cut[], pointer: string): Elision[] {
  return cuts.flatMap((cut) => below(cut, pointer));
}

function below(cut: Cut, pointer: string): Cut[] {
  if (cut.pointer !== pointer && !cut.pointer.startsWith(`${pointer}/`)) return [];
  return [{ ...cut, pointer: cut.pointer.slice(pointer.length) }];
}
