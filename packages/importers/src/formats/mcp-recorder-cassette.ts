import { firstObjects, headObjects, scoreOfMost } from '../head-values.ts';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { readTopValues } from '../json-documents.ts';
import { JsonRpcSessions } from '../json-rpc-session.ts';
import type { JsonView } from '../json-view.ts';
import { EMPTY_DOCUMENT, IssueList, RecordLedger, SetAside } from '../record-ledger.ts';
import { addRpc, isRpc, type RpcFacts } from '../rpc-view.ts';
import { decimalToNs } from '../source-time.ts';
import type { SpanTime } from '../trace-span.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { runOfFrames } from '../wire-run.ts';

/** Cassettes of mcp-recorder: interactions with an MCP server in one document. */
export const mcpRecorderCassette: Importer = {
  id: 'mcp-recorder-cassette',
  title: 'mcp-recorder cassette',
  evidence: 'wire',
  revision: 3,
  sniff,
  read,
};

function sniff(head: SourceHead): number {
  return scoreOfMost(headObjects(head), (object) =>
    scoreOfMost(firstObjects(object.get('interactions')), (item) => {
      const own = item.firstOf('response_is_sse', 'latency_ms', 'response_status');
      return own !== undefined || item.get('request')?.get('jsonrpc') !== undefined ? 0.97 : 0;
    }),
  );
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const issues = new IssueList();
  const ledger = new RecordLedger(input.main.sha256);
  const sessions = new JsonRpcSessions(input.main.sha256, issues);
  for await (const { place } of readTopValues(input, ledger, issues)) {
    const interactions = place.get('interactions');
    if (interactions?.isArray !== true) {
      ledger.notUnderstood(place.origin, 'no interactions');
      continue;
    }
    if (interactions.items.length === 0) ledger.setAside(place.origin, EMPTY_DOCUMENT);
    const server = place.at('metadata', 'server_info', 'name')?.text ?? null;
    let clockNs = 0n;
    for (const each of interactions.items) {
      clockNs = readInteraction(sessions, ledger, each, server, clockNs);
    }
  }
  // Only durations are recorded: the zero of this clock means nothing, and so do gaps between calls.
  const run = runOfFrames(sessions, input.main.name, 'monotonic');
  const runs = run === null ? [] : [run];
  return { runs, sources: [ledger.account()], issues: issues.list() };
}

const LIFECYCLE = new SetAside('the HTTP session opens or closes');

/** Returns when the interaction was over, on a clock that knows no pauses. */
function readInteraction(
  sessions: JsonRpcSessions,
  ledger: RecordLedger,
  item: JsonView,
  server: string | null,
  clockNs: bigint,
): bigint {
  const request = item.firstOf('request');
  const response = item.firstOf('response');
  const latency = item.get('latency_ms')?.number ?? null;
  const tookNs = latency === null ? null : decimalToNs(latency, 'ms');
  const endNs = clockNs + (tookNs ?? 0n);
  const at = (ns: bigint): SpanTime | null =>
    tookNs === null || tookNs < 0n ? null : { ns, text: null };
  const facts = (direction: RpcFacts['direction'], ns: bigint): RpcFacts => ({
    direction,
    connection: '',
    server,
    at: at(ns),
    isMonotonic: true,
    recordOffset: item.origin.offset,
    remark: null,
  });
  let isKnown = false;
  if (request !== undefined && isRpc(request)) {
    isKnown = addRpc(sessions, request, facts('client-to-server', clockNs));
  }
  for (const message of response?.isArray === true ? response.items : [response]) {
    if (message === undefined || !isRpc(message)) continue;
    isKnown = addRpc(sessions, message, facts('server-to-client', endNs)) || isKnown;
  }
  // Opening and closing of the HTTP session: no message.
  const isLifecycle = item.get('type')?.text === 'lifecycle';
  if (isKnown) ledger.understood();
  else if (isLifecycle) ledger.setAside(item.origin, LIFECYCLE);
  else ledger.notUnderstood(item.origin, 'no JSON-RPC message in it');
  return endNs;
}
