import { MAX_DOCUMENT_BYTES } from '../document-entries.ts';
import { HttpTraffic } from '../http-traffic.ts';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { IssueList, RecordLedger } from '../record-ledger.ts';
import { originAt } from '../step-builder.ts';
import { refuseLarge, refuseUtf16 } from '../unreadable-source.ts';
import { FlowReader } from './mitmproxy/flow.ts';
import { beginsFlow, behindDamage, nextFlow } from './mitmproxy/flow-start.ts';
import { readTnet } from './mitmproxy/tnetstring.ts';

/** Flow files of mitmproxy, mitmdump and mitmweb. */
export const mitmproxy: Importer = {
  id: 'mitmproxy',
  title: 'mitmproxy flows',
  evidence: 'wire',
  revision: 5,
  sniff,
  read,
};

function sniff({ bytes }: SourceHead): number {
  if (beginsFlow(bytes, 0)) return 0.97;
  return nextFlow(bytes, 0) === null ? 0 : 0.9;
}

const NO_FLOW = 'no flow';

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const { main, signal, onProgress } = input;
  const issues = new IssueList();
  const ledger = new RecordLedger(main.sha256);
  const traffic = new HttpTraffic(ledger, issues);
  if (main.sizeBytes > MAX_DOCUMENT_BYTES) {
    const message =
      'A flow file of more than 256 MiB is not read. Save the flows of the server alone.';
    refuseLarge(main, ledger, issues, message);
    return { runs: [], sources: [ledger.account()], issues: issues.list() };
  }
  const bytes = await main.read(0, main.sizeBytes);
  const reader = new FlowReader(bytes, main.sha256, issues, traffic);
  signal?.throwIfAborted();
  for (let at = 0; at < bytes.length; ) {
    signal?.throwIfAborted();
    const flow = readTnet(bytes, at, bytes.length);
    if (flow?.type !== '}') {
      const next = behindDamage(bytes, at, flow);
      const reason =
        flow === null && next === bytes.length ? 'the last flow is cut, or no flow' : NO_FLOW;
      ledger.malformed({ offset: at, length: next - at }, reason);
      at = next;
      continue;
    }
    const record = originAt(main.sha256, { offset: at, length: flow.end - at });
    ledger.take(record, await reader.readFlow(flow, record));
    at = flow.end;
    onProgress?.({ readBytes: at, records: ledger.total, steps: 0 });
  }
  return { runs: traffic.finish(main.name), sources: [ledger.account()], issues: issues.list() };
}
