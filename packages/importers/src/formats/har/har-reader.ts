import { isAnswer, isRequest, makeExchange } from '../../api-exchange.ts';
import { Conversations } from '../../conversations.ts';
import type { ImportResult } from '../../importer.ts';
import { JsonRpcSessions } from '../../json-rpc-session.ts';
import { assembledView, type JsonView } from '../../json-view.ts';
import { oneLine } from '../../one-line.ts';
import { counted, type IssueList, type RecordLedger, SetAside } from '../../record-ledger.ts';
import { addRpc, isRpc, type RpcFacts } from '../../rpc-view.ts';
import { decimalToNs, readTime } from '../../source-time.ts';
import { looksLikeSse, readSseJson } from '../../sse-events.ts';
import { answerOfStream } from '../../streamed-answer.ts';
import type { SpanTime } from '../../trace-span.ts';
import { runOfFrames } from '../../wire-run.ts';
import { bodyText } from './body-text.ts';

const NO_MESSAGE = new SetAside('the MCP session ends, or waits for messages that never came');
const OTHER_TRAFFIC = new SetAside('other traffic, without JSON in either direction');

/** Reads the entries of a HAR: MCP traffic to one run, talks with models to others. */
export class HarReader {
  readonly #ledger: RecordLedger;
  readonly #issues: IssueList;
  readonly #sessions: JsonRpcSessions;
  readonly #conversations: Conversations;

  constructor(ledger: RecordLedger, issues: IssueList) {
    this.#ledger = ledger;
    this.#issues = issues;
    this.#sessions = new JsonRpcSessions(ledger.sha256, issues);
    this.#conversations = new Conversations(issues);
  }

  readEntry(entry: JsonView): void {
    const request = entry.get('request');
    const response = entry.get('response');
    const asked = this.#bodyOf(request?.get('postData'));
    const sent = asked === null ? null : viewOf(asked.text, asked.place);
    const given = this.#bodyOf(response?.get('content'));
    const received = messagesOf(given);
    const startedAt = startOf(entry);
    const endedAt = endOf(entry, startedAt);
    if ((sent !== null && isRpc(sent)) || received.some(isRpc)) {
      this.#ledger.understood();
      this.#addRpcEntry(entry, sent, received, startedAt, endedAt);
      return;
    }
    const isAsking = sent !== null && isRequest(sent);
    const single = received.length === 1 ? received[0] : undefined;
    const streamed = given === null ? null : answerOfStream(given.text, given.place);
    const answer = streamed ?? (single !== undefined && isAnswer(single) ? single : null);
    if (isAsking || (answer !== null && sent !== null)) {
      this.#ledger.understood();
      const exchange = makeExchange(isAsking ? sent : null, answer);
      const unanswered = `Status ${statusOf(entry)}; the body is not recorded or no answer.`;
      this.#conversations.add(answer === null ? { ...exchange, unanswered } : exchange, {
        startedAt,
        endedAt,
      });
      return;
    }
    // The end of a session (DELETE) and its stream of server messages (GET) hold no message.
    if (header(entry, 'request') !== null && sent === null && received.length === 0) {
      this.#ledger.setAside(entry.origin, NO_MESSAGE);
      return;
    }
    // A page, a picture, a script. What carries JSON may be an API that nobody knows here.
    if (sent === null && received.length === 0) {
      this.#ledger.setAside(entry.origin, OTHER_TRAFFIC);
      return;
    }
    const method = request?.get('method')?.text ?? '?';
    const url = request?.get('url')?.text ?? '?';
    this.#ledger.notUnderstood(
      entry.origin,
      oneLine(`neither MCP nor a model's API: ${method} ${url.replace(/\?.*$/s, '')}`, 200),
    );
  }

  finish(name: string): ImportResult['runs'] {
    const hasTimes = this.#sessions.steps.some(({ time }) => time.startedAtNs !== null);
    const wire = runOfFrames(this.#sessions, name, hasTimes ? 'zoned' : 'none');
    const talks = this.#conversations.runs(null, name);
    return wire === null ? talks : [{ ...wire, key: 'mcp' }, ...talks];
  }

  #bodyOf(content: JsonView | undefined): { text: string; place: JsonView } | null {
    const body = bodyText(content);
    const place = content?.get('text');
    if (body === null || place === undefined) return null;
    if (body.repaired) {
      this.#issues.count(
        'MOJIBAKE_REPAIRED',
        (count) =>
          `${counted(count, 'body')} that the recorder read as Windows-1252; read as the UTF-8 it is.`,
        this.#ledger.sha256,
        place.origin.offset,
      );
    }
    return { text: body.text, place };
  }

  #addRpcEntry(
    entry: JsonView,
    sent: JsonView | null,
    received: readonly JsonView[],
    startedAt: SpanTime | null,
    endedAt: SpanTime | null,
  ): void {
    const url = (entry.at('request', 'url')?.text ?? '').replace(/[?#].*$/s, '');
    const session = header(entry, 'request') ?? header(entry, 'response') ?? '';
    const shared = { connection: `${url} ${session}`, server: null, record: entry };
    const facts = (direction: RpcFacts['direction'], at: SpanTime | null): RpcFacts => ({
      ...shared,
      direction,
      at,
      remark: null,
    });
    const before = this.#sessions.steps.length;
    if (sent !== null) addRpc(this.#sessions, sent, facts('client-to-server', startedAt));
    for (const message of received) {
      if (isRpc(message)) addRpc(this.#sessions, message, facts('server-to-client', endedAt));
    }
    const status = statusOf(entry);
    for (const step of this.#sessions.steps.slice(before)) {
      if (step.status !== 'unanswered') continue;
      if (status >= 400) {
        step.status = 'protocolError';
        step.statusReason = `HTTP status ${status}`;
      } else if (received.length === 0) {
        step.statusReason = 'The HAR holds no body of the answer.';
      }
    }
  }
}

function viewOf(text: string, carrier: JsonView): JsonView | null {
  return /^\s*[[{]/.test(text) ? assembledView(text, carrier.origin) : null;
}

function messagesOf(body: { text: string; place: JsonView } | null): JsonView[] {
  if (body === null) return [];
  if (looksLikeSse(body.text)) return readSseJson(body.text, body.place);
  const view = viewOf(body.text, body.place);
  return view === null ? [] : [view];
}

/** The session's id; names of headers come in any case. */
function header(entry: JsonView, of: 'request' | 'response'): string | null {
  for (const item of entry.at(of, 'headers')?.items ?? []) {
    if (item.get('name')?.text?.toLowerCase() === 'mcp-session-id') {
      return item.get('value')?.text ?? null;
    }
  }
  return null;
}

function statusOf(entry: JsonView): number {
  return Number(entry.at('response', 'status')?.number ?? 0);
}

function startOf(entry: JsonView): SpanTime | null {
  const time = readTime(entry.get('startedDateTime')?.text ?? '');
  return time?.clock === 'zoned' ? time : null;
}

/** The HAR writes how long the whole exchange took; there is no text of its end. */
function endOf(entry: JsonView, startedAt: SpanTime | null): SpanTime | null {
  const text = entry.get('time')?.number ?? null;
  const ns = text === null ? null : decimalToNs(text, 'ms');
  if (startedAt === null || text === null || ns === null || ns < 0n) return null;
  return { ns: startedAt.ns + ns, text: null };
}
