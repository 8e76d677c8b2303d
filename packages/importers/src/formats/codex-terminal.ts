import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { orderSteps } from '../order-steps.ts';
import { draftOf } from '../run-writer.ts';
import { isUtf16, looksBinary } from '../source-head.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { TerminalBlocks } from './codex-terminal/terminal-blocks.ts';
import { openText } from './plain-text/open-text.ts';

/** What people copy from the screen of Codex. */
export const codexTerminal: Importer = {
  id: 'codex-terminal',
  title: 'Codex terminal copy',
  evidence: 'rendered',
  revision: 1,
  sniff,
  read,
};

function sniff(head: SourceHead): number {
  if (isUtf16(head.bytes) || looksBinary(head.bytes)) return 0;
  const count = (pattern: RegExp): number => head.lines.filter((line) => pattern.test(line)).length;
  const calls = count(/^(?:>[ \t]?)?[ \t]?• (?:Ran|Called|Explored|Edited|Added|Updated Plan)\b/);
  const details = count(/^(?:>[ \t]?)?[ \t]{2,5}[└│↳] /);
  if (count(/^(?:>[ \t]?)?[ \t]?│ >_ OpenAI Codex \(/) > 0) return 0.95;
  if (calls > 0 && details > 0) return 0.93;
  return calls > 0 && count(/^(?:>[ \t]?)?[ \t]?[›▌] /) > 0 ? 0.7 : 0;
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const { main, signal, onProgress } = input;
  const { source, issues, ledger } = await openText(input);
  const blocks = new TerminalBlocks(source, ledger, issues);
  blocks.read(signal);
  const { writer } = blocks;
  onProgress?.({ readBytes: main.sizeBytes, records: ledger.total, steps: writer.steps.length });
  const version = /OpenAI Codex \(v?([\w.-]{1,40})\)/.exec(source.text)?.[1];
  const model = /^\s*│\s*model:\s+([^\s│]{1,80})/m.exec(source.text)?.[1] ?? null;
  const session = /codex resume ([0-9a-f]{8}-[0-9a-f-]{27})\b/.exec(source.text)?.[1] ?? null;
  const draft = draftOf(orderSteps([writer.steps]), {
    key: '0',
    title: null,
    client: version === undefined ? 'Codex' : `Codex ${version}`,
    model: model === 'loading' ? null : model,
    naturalId: session,
    clock: null,
    sourceName: main.name,
  });
  return {
    runs: draft === null ? [] : [draft],
    sources: [ledger.account()],
    issues: issues.list(),
  };
}
