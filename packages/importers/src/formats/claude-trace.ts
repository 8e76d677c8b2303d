import { isAnswer, isRequest, makeExchange } from '../api-exchange.ts';
import { Conversations } from '../conversations.ts';
import { headObjects, scoreOfMost } from '../head-values.ts';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { readTopValues } from '../json-documents.ts';
import type { JsonView } from '../json-view.ts';
import { IssueList, RecordLedger, SetAside } from '../record-ledger.ts';
import { isRedirect } from '../redirects.ts';
import { decimalToNs } from '../source-time.ts';
import { StreamEvents } from '../stream-events.ts';
import { type AnswerOfStream, answerOfStream, firstAnswer } from '../streamed-answer.ts';
import type { SpanTime } from '../trace-span.ts';
import { refuseUtf16 } from '../unreadable-source.ts';

/** Requests of Claude Code to the model's API and their answers, as claude-trace logs them. */
export const claudeTrace: Importer = {
  id: 'claude-trace',
  title: 'claude-trace log',
  evidence: 'logged',
  revision: 8,
  sniff,
  read,
};

function sniff(head: SourceHead): number {
  return scoreOfMost(headObjects(head), (pair) => {
    const request = pair.get('request');
    if (request?.get('body') === undefined || request.get('url')?.text === undefined) return 0;
    if (request.get('timestamp')?.number === null) return 0;
    return pair.get('logged_at') !== undefined ? 0.97 : 0.9;
  });
}

const REDIRECTED = new SetAside(
  'a request that was redirected, and sent again to where the answer led',
);

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const issues = new IssueList();
  const ledger = new RecordLedger(input.main.sha256);
  const conversations = new Conversations(issues, { groupsAside: true });
  /** A request that was answered with a redirect, until it is known whether it was sent again. */
  let redirected: { pair: JsonView; body: JsonView; add: () => void } | null = null;
  const settle = (next: JsonView | null): void => {
    if (redirected === null) return;
    const { pair, body, add } = redirected;
    redirected = null;
    if (next !== null && next.written === body.written) {
      ledger.setAside(pair.origin, REDIRECTED);
      return;
    }
    ledger.understood();
    add();
  };
  for await (const { place } of readTopValues(input, ledger, issues)) {
    for (const pair of place.isArray ? place.items : [place]) {
      const body = bodyOf(pair.at('request', 'body'));
      if (body === null || !isRequest(body)) {
        ledger.notUnderstood(pair.origin, 'no request with messages');
        continue;
      }
      settle(body);
      const response = pair.get('response');
      const { answer = null, breaks = null } =
        (response === undefined ? null : answerOf(response)) ?? {};
      const exchange = { ...makeExchange(body, answer), breaks };
      const code = response?.get('status_code')?.number;
      const unanswered =
        response?.isObject !== true
          ? 'The log holds no answer.'
          : `Status ${code ?? 'unknown'}; the body is not recorded.`;
      const add = (): void => {
        conversations.add(answer === null ? { ...exchange, unanswered } : exchange, {
          startedAt: timeOf(pair.at('request', 'timestamp')),
          endedAt: timeOf(response?.get('timestamp')),
        });
      };
      if (answer === null && isRedirect(Number(code ?? 0))) redirected = { pair, body, add };
      else {
        ledger.understood();
        add();
      }
    }
  }
  settle(null);
  const runs = conversations.runs('Claude Code', input.main.name);
  return { runs, sources: [ledger.account()], issues: issues.list() };
}

function bodyOf(body: JsonView | undefined): JsonView | null {
  return body === undefined ? null : (body.inner() ?? body);
}

function answerOf(response: JsonView): AnswerOfStream | null {
  const body = bodyOf(response.firstOf('body'));
  if (body !== null && isAnswer(body)) return { answer: body, breaks: null };
  const events = response.firstOf('events');
  if (events?.isArray === true) {
    const stream = new StreamEvents();
    for (const event of events.items) stream.add(event.get('data') ?? event);
    const answer = firstAnswer(stream, false);
    if (answer !== null) return answer;
  }
  const raw = response.firstOf('body_raw', 'body');
  return raw?.text === undefined || raw.text === null ? null : answerOfStream(raw.text, raw);
}

function timeOf(seconds: JsonView | undefined): SpanTime | null {
  const text = seconds?.number ?? null;
  const ns = text === null ? null : decimalToNs(text, 's');
  return text === null || ns === null || ns <= 0n ? null : { ns, text };
}
