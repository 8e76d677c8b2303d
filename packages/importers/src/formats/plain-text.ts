import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { oneLine } from '../one-line.ts';
import { orderSteps } from '../order-steps.ts';
import { isUtf16, looksBinary } from '../source-head.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { readLineHead } from './plain-text/line-head.ts';
import { openText } from './plain-text/open-text.ts';
import { QUOTE } from './plain-text/text-source.ts';
import { TranscriptReader } from './plain-text/transcript-reader.ts';
import { TranscriptSteps } from './plain-text/transcript-steps.ts';

/** Transcripts as people paste them into tickets; also any other text, at a low score. */
export const plainText: Importer = {
  id: 'plain-text',
  title: 'Plain-text transcript',
  evidence: 'rendered',
  revision: 5,
  sniff,
  read,
};

/** Text without anything that looks like a call is offered, so that a person can look at it. */
const ANY_TEXT = 0.12;

function sniff(head: SourceHead): number {
  if (isUtf16(head.bytes)) return ANY_TEXT;
  if (head.text.trim() === '' || looksBinary(head.bytes) || isMostlyGarbage(head.text)) return 0;
  const { lines, lineValues } = head;
  const json = lineValues.filter((value) => value !== undefined).length;
  if (json > 0 && json >= lines.length * 0.6) return 0;
  if (/^\s*[[{]/.test(head.text) && isOneJson(head)) return 0;
  let calls = 0;
  let results = 0;
  let speakers = 0;
  let stamps = 0;
  for (const line of lines) {
    const { head: lineHead, time } = readLineHead(line.replace(QUOTE, ''));
    if (time !== null) stamps += 1;
    if (lineHead.type === 'call' && lineHead.sure) calls += 1;
    else if (lineHead.type === 'call') calls += 0.5;
    else if (lineHead.type === 'result') results += lineHead.sure ? 1 : 0.5;
    else if (lineHead.type === 'speaker') speakers += 1;
  }
  if (calls >= 0.5 && results >= 0.5) return Math.min(0.9, 0.6 + 0.1 * calls);
  if (calls >= 1 && speakers + stamps > 0) return 0.5;
  if (speakers > 1) return 0.35;
  return stamps > 1 || calls > 0 ? 0.2 : ANY_TEXT;
}

function isMostlyGarbage(text: string): boolean {
  const sample = text.slice(0, 20_000);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they tell text from other bytes.
  const odd = sample.match(/[\ufffd\u0000-\u0008\u000e-\u001a\u001c-\u001f]/g)?.length ?? 0;
  return odd > sample.length * 0.05;
}

/** A JSON document over many lines, as far as the head shows. */
function isOneJson(head: SourceHead): boolean {
  if (!head.whole) return /^\s*(?:\{\s*["}]|\[\s*["{[\]\d-])/.test(head.text);
  try {
    JSON.parse(head.text);
    return true;
  } catch {
    return false;
  }
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const { main, signal, onProgress } = input;
  const { source, issues, ledger } = await openText(input);
  const transcript = new TranscriptSteps(source, issues);
  new TranscriptReader(source, transcript, ledger).read(signal);
  onProgress?.({
    readBytes: main.sizeBytes,
    records: ledger.total,
    steps: transcript.steps.length,
  });
  const steps = orderSteps([transcript.steps]);
  const titled = steps.find(({ kind }) => kind === 'user') ?? steps[0];
  const isCall = titled?.kind === 'tool' || titled?.kind === 'protocol';
  const told = isCall ? `${titled.name} ${titled.summary}` : (titled?.summary ?? '');
  const title = oneLine(told, 200) || main.name || 'Transcript';
  const run = {
    key: '0',
    title,
    client: null,
    model: null,
    naturalId: null,
    clock: transcript.clock.clock,
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
