import { MAX_DOCUMENT_BYTES } from '../document-entries.ts';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { IssueList, RecordLedger } from '../record-ledger.ts';
import { refuseLarge, refuseUtf16 } from '../unreadable-source.ts';
import { looksLikeCapture } from './pcap/capture-file.ts';
import { CaptureReader } from './pcap/capture-reader.ts';

/** Packet captures (pcap and pcapng) of MCP over HTTP/1.1. */
export const pcap: Importer = {
  id: 'pcap',
  title: 'Packet capture (pcap)',
  evidence: 'wire',
  revision: 5,
  sniff,
  read,
};

function sniff({ bytes }: SourceHead): number {
  return looksLikeCapture(bytes) ? 0.99 : 0;
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const { main, signal, onProgress } = input;
  signal?.throwIfAborted();
  if (main.sizeBytes === 0 || main.sizeBytes > MAX_DOCUMENT_BYTES) return unread(input);
  const bytes = await main.read(0, main.sizeBytes);
  const reader = new CaptureReader(input, bytes);
  const runs = await reader.read(main.name, signal);
  onProgress?.({ readBytes: main.sizeBytes, records: reader.ledger.total, steps: 0 });
  return { runs, sources: [reader.ledger.account()], issues: reader.issues.list() };
}

function unread({ main }: ImportInput): ImportResult {
  const ledger = new RecordLedger(main.sha256);
  const issues = new IssueList();
  if (main.sizeBytes > 0) {
    const message =
      'A capture of more than 256 MiB is not read. Keep the packets of the server alone, by its port.';
    refuseLarge(main, ledger, issues, message);
  }
  return { runs: [], sources: [ledger.account()], issues: issues.list() };
}
