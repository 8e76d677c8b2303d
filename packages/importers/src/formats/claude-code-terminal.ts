import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { oneLine } from '../one-line.ts';
import { orderSteps } from '../order-steps.ts';
import { isUtf16, looksBinary } from '../source-head.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { ScreenReader } from './claude-code-terminal/screen-reader.ts';
import { openText } from './plain-text/open-text.ts';

/** What people copy from Claude Code's screen. */
export const claudeCodeTerminal: Importer = {
  id: 'claude-code-terminal',
  title: 'Claude Code terminal copy',
  evidence: 'rendered',
  revision: 4,
  sniff,
  read,
};

function sniff(head: SourceHead): number {
  if (isUtf16(head.bytes) || looksBinary(head.bytes)) return 0;
  const count = (pattern: RegExp): number => head.lines.filter((line) => pattern.test(line)).length;
  const own = count(/^\s*⏺/);
  const bullets = own + count(/^\s*●/);
  const results = count(/^\s*⎿|^\s*[⏺●].*⎿/);
  const folded = count(/\(ctrl\+[a-z] to expand\)\s*$/);
  if (bullets > 0 && results + folded > 0) return 0.95;
  if (results > 1 || own > 1) return 0.6;
  return own > 0 || (bullets > 1 && count(/^❯/) > 0) ? 0.4 : 0;
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const { main, signal, onProgress } = input;
  const { source, issues, ledger } = await openText(input);
  const screen = new ScreenReader(source, ledger, issues);
  screen.read(signal);
  onProgress?.({ readBytes: main.sizeBytes, records: ledger.total, steps: screen.steps.length });
  const steps = orderSteps([screen.steps]);
  const titled = steps.find(({ kind }) => kind === 'user') ?? steps[0];
  const version = /Claude Code v(\d+(?:\.\d+)+)/.exec(source.text)?.[1];
  const run = {
    key: '0',
    title: oneLine(titled?.summary ?? '', 200) || main.name || 'Terminal copy',
    client: version === undefined ? 'Claude Code' : `Claude Code ${version}`,
    model: null,
    naturalId: null,
    clock: 'none' as const,
    steps,
    frames: [],
    tools: [],
  };
  return {
    runs: steps.length === 0 ? [] : [run],
    sources: [ledger.account()],
    issues: issues.list(),
  };
}
