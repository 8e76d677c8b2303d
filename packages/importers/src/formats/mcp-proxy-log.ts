import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { joinLines } from '../line-bytes.ts';
import { readLines, type SourceLine } from '../read-lines.ts';
import { originAt } from '../step-builder.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { ProxyReader, PYTHON_MESSAGE } from './mcp-proxy-log/proxy-reader.ts';

/** What the mcp-proxy of Node (`--debug`) and that of Python (`--debug`) print of what they relay. */
export const mcpProxyLog: Importer = {
  id: 'mcp-proxy-log',
  title: 'mcp-proxy debug log',
  evidence: 'wire',
  revision: 1,
  sniff,
  read,
};

const MOST_BLOCK_LINES = 200_000;
const BEGINS = /^transport event \{/;

function sniff({ lines }: SourceHead): number {
  const events = lines.some((line) => BEGINS.test(line));
  const isNode =
    events &&
    lines.some((line) => /^ {2}type: '\w+'/.test(line) || /^ {2}(?:chunk|message): /.test(line));
  return isNode || lines.some((line) => PYTHON_MESSAGE.test(line)) ? 0.96 : 0;
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const { main, signal, onProgress } = input;
  const reader = new ProxyReader(input);
  let block: SourceLine[] = [];
  const endBlock = (): void => {
    const [first] = block;
    if (first === undefined) return;
    const bytes = joinLines(block);
    const text = new TextDecoder().decode(bytes);
    reader.readBlock(text, originAt(main.sha256, { offset: first.offset, length: bytes.length }));
    block = [];
  };
  for await (const line of readLines(main, signal)) {
    if (line.text.trim() === '' && block.length === 0) continue;
    const begins = BEGINS.test(line.text);
    // Inside a block every line is indented, and the bracket at its margin ends it.
    const isInside = block.length > 0 && (/^\s/.test(line.text) || line.text === '}');
    if (!isInside || begins) endBlock();
    if (begins || isInside) block.push(line);
    else reader.readLine(line.text, originAt(main.sha256, line));
    if (isInside && (line.text === '}' || block.length > MOST_BLOCK_LINES)) endBlock();
    onProgress?.({ readBytes: line.offset, records: reader.ledger.total, steps: 0 });
  }
  endBlock();
  return reader.finish(main.name);
}
