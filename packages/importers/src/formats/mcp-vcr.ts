import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { JsonRpcSessions } from '../json-rpc-session.ts';
import type { JsonView } from '../json-view.ts';
import { joinLines } from '../line-bytes.ts';
import { readLines, type SourceLine } from '../read-lines.ts';
import { IssueList, RecordLedger, type RecordSpan, SetAside } from '../record-ledger.ts';
import { addRpc, isRpc } from '../rpc-view.ts';
import { decimalToNs, readTime } from '../source-time.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { runOfFrames } from '../wire-run.ts';
import { type TranscriptItem, TranscriptItems } from './mcp-vcr/transcript-items.ts';
import { yamlAsJson } from './mcp-vcr/yaml-json.ts';

/** Transcripts of mcp-vcr in YAML: messages with direction and milliseconds since the start. */
export const mcpVcr: Importer = {
  id: 'mcp-vcr',
  title: 'mcp-vcr transcript',
  evidence: 'wire',
  revision: 2,
  sniff,
  read,
};

const DAMAGED = 'no YAML, or too deep or large';
const MOST_DROPPED_LINES = 50;
/** Read again for want of an end, of a whole file. */
const MOST_BYTES_AGAIN = 32 * 1024 * 1024;
const BETWEEN = new SetAside('a line between the messages that belongs to none');

function sniff({ text }: SourceHead): number {
  if (!/^messages:\s*$/m.test(text) && !/^messages:[ \t]*\r?\n/m.test(text)) return 0;
  const hasMessage = /^ *(?:- )?dir: ['"]?(?:c2s|s2c)['"]?\s*$/m.test(text);
  const hasMeta = /^ {1,8}(?:server_command|session_id|recorded_at):/m.test(text);
  return hasMessage && /^ *(?:- )?payload:/m.test(text) ? 0.97 : hasMeta ? 0.7 : 0;
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const { main, signal, onProgress } = input;
  const state = new TranscriptReader(input);
  const items = new TranscriptItems();
  for await (const line of readLines(main, signal)) {
    const ended = items.add(line);
    if (ended !== null) state.readItem(ended);
    else if (!items.isOpen && line.text.trim() !== '' && !/^(?:messages:|#)/.test(line.text)) {
      state.ledger.setAside(line, BETWEEN);
    }
    onProgress?.({ readBytes: line.offset, records: state.ledger.total, steps: 0 });
  }
  const last = items.finish();
  if (last !== null) state.readItem(last);
  return state.finish(main.name);
}

class TranscriptReader {
  readonly ledger: RecordLedger;
  readonly #issues = new IssueList();
  readonly #sessions: JsonRpcSessions;
  #startedNs: bigint | null = null;
  #normalised = false;
  #triesLeft = 2000;
  #bytesLeft = MOST_BYTES_AGAIN;

  constructor({ main }: ImportInput) {
    this.ledger = new RecordLedger(main.sha256);
    this.#sessions = new JsonRpcSessions(main.sha256, this.#issues);
  }

  readItem({ kind, lines }: TranscriptItem): void {
    const [first] = lines;
    if (first === undefined) return;
    const readable = this.#readable(lines);
    if (readable === null) {
      const length = joinLines(lines).length;
      this.ledger.malformed({ offset: first.offset, length }, DAMAGED);
      return;
    }
    const { view, span, lost } = readable;
    if (lost !== null) this.ledger.malformed(lost, DAMAGED);
    if (kind === 'meta') {
      const began = readTime(view.at('meta', 'recorded_at')?.text ?? '');
      if (began?.clock === 'zoned') this.#startedNs = began.ns;
      this.ledger.understood();
      return;
    }
    this.ledger.take(span, this.#readMessage(view.items[0], first.offset));
  }

  /** All lines, or those before the damage: a file that is still written must not lose what it had. */
  #readable(
    lines: readonly SourceLine[],
  ): { view: JsonView; span: RecordSpan; lost: RecordSpan | null } | null {
    const offset = lines[0]?.offset ?? 0;
    for (let count = lines.length; count > 0; count -= 1) {
      const bytes = joinLines(lines.slice(0, count));
      const view = yamlAsJson(bytes, offset, this.ledger.sha256);
      if (view === 'excessive') return null;
      if (view !== 'damaged') {
        const rest = lines.slice(count);
        const lost = { offset: rest[0]?.offset ?? 0, length: joinLines(rest).length };
        return {
          view,
          span: { offset, length: bytes.length },
          lost: rest.length > 0 ? lost : null,
        };
      }
      this.#triesLeft -= 1;
      this.#bytesLeft -= bytes.length;
      const spent = this.#triesLeft < 0 || this.#bytesLeft < 0;
      if (spent || lines.length - count > MOST_DROPPED_LINES) return null;
    }
    return null;
  }

  finish(name: string): ImportResult {
    if (this.#normalised) {
      this.#issues.add(
        'IDS_NORMALISED',
        'Ids are placeholders (NORM_ID_...): the file was normalised for comparing, and is not what crossed the wire.',
        this.ledger.sha256,
      );
    }
    const clock = this.#startedNs === null ? 'monotonic' : 'zoned';
    const run = runOfFrames(this.#sessions, name, clock);
    return {
      runs: run === null ? [] : [run],
      sources: [this.ledger.account()],
      issues: this.#issues.list(),
    };
  }

  #readMessage(item: JsonView | undefined, recordOffset: number): string | null {
    const payload = item?.get('payload');
    const said = item?.get('dir')?.text;
    if (payload === undefined || !isRpc(payload)) return 'no JSON-RPC message in it';
    if (said !== 'c2s' && said !== 's2c') return 'a message without a direction';
    this.#normalised ||= payload.get('id')?.text?.startsWith('NORM_ID_') === true;
    // In files written with sorted keys the time comes last, and the file may end before it.
    const text = item?.get('t')?.number ?? null;
    const sinceNs = text === null ? null : decimalToNs(text, 'ms');
    const known = addRpc(this.#sessions, payload, {
      direction: said === 'c2s' ? 'client-to-server' : 'server-to-client',
      connection: '',
      server: null,
      at: sinceNs === null ? null : { ns: (this.#startedNs ?? 0n) + sinceNs, text },
      isMonotonic: this.#startedNs === null,
      recordOffset,
      remark: null,
    });
    return known ? null : 'not a JSON-RPC message';
  }
}
