import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { member, nodeText } from '@misstep/json';
import { readFrame } from '@misstep/mcp';
import { type Depot, installDepot } from './depot.ts';
import { ANSWERS, ARGUMENTS } from './lossless-cases.ts';
import { code, table, writeReport } from './report.ts';
import { newFolder, sendOnce } from './send-once.ts';

const INSPECTOR = '@modelcontextprotocol/inspector';
const VERSION = '2.12.0';
const SERVER = fileURLToPath(new URL('../../servers/lossless.mjs', import.meta.url));
/** From the call to the answer. */
const TIMEOUT_MS = 12_000;
/** A busy machine starts a program slowly, which is no fault of the program. */
const START_MS = 90_000;
const PLAIN = '{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}\n';

/** What reaches a server, and what is shown of its answer: ours beside the inspector's CLI. */
export async function lossless(): Promise<void> {
  const spec = `${INSPECTOR}@${VERSION}`;
  const depot = installDepot([spec]);
  const sent: string[][] = [];
  for (const value of ARGUMENTS) {
    const text = `{"value":${value}}`;
    const [ours, theirs] = await Promise.all([replay(text, PLAIN), inspect(depot, text, PLAIN)]);
    const verdict = (reached: string | null) =>
      reached === null
        ? 'nothing was sent'
        : reached === text
          ? 'as written'
          : `changed: ${code(reached)}`;
    sent.push([code(value), verdict(ours.reached), verdict(theirs.reached)]);
    process.stdout.write(`  ${sent.at(-1)?.join('  ')}\n`);
  }
  const shown: string[][] = [];
  for (const { name, answer, matters } of ANSWERS) {
    const [ours, theirs] = await Promise.all([replay('{}', answer), inspect(depot, '{}', answer)]);
    const oursHas = ours.shown.includes(matters) ? 'as written' : `changed: ${code(ours.shown)}`;
    const theirsHas = theirs.shown.includes(matters) ? 'as written' : theirs.sentence;
    shown.push([name, code(matters), `${oursHas}. ${ours.sentence}`, theirsHas]);
    process.stdout.write(`  ${shown.at(-1)?.join('  ')}\n`);
  }
  writeReport(
    'lossless',
    'What survives the way',
    [spec],
    [
      `A server of ours keeps the bytes that reach it and answers with bytes of ours, over stdio. Misstep sends the argument text as a replay; the inspector's command gets it by \`--tool-args-json\`. The answer may take ${TIMEOUT_MS / 1000} s. "Shown" is the frame of the replay, and the inspector's standard output.`,
      '',
      '## Arguments: what reached the server',
      '',
      ...table(['argument', 'Misstep', `inspector ${VERSION}`], sent),
      '',
      '## Answers: what was shown',
      '',
      ...table(['answer', 'what matters in it', 'Misstep', `inspector ${VERSION}`], shown),
    ],
  );
}

interface Seen {
  /** The arguments as the server read them; null = no call came. */
  readonly reached: string | null;
  readonly shown: string;
  readonly sentence: string;
}

function prepare(answer: string): { words: string[]; reached: () => string | null } {
  const folder = newFolder();
  const log = join(folder, 'read.log');
  writeFileSync(join(folder, 'answer.txt'), answer);
  writeFileSync(log, '');
  return {
    words: [SERVER, '--answer', join(folder, 'answer.txt'), '--log', log],
    reached: () => argumentsIn(readFileSync(log)),
  };
}

function argumentsIn(frame: Uint8Array): string | null {
  if (frame.length === 0) return null;
  const { document } = readFrame(frame);
  if (document === null) return 'no JSON';
  const params = member(document, document.root, 'params');
  const given = member(document, params, 'arguments');
  return given === undefined ? 'no arguments' : nodeText(document, given);
}

async function replay(argumentsText: string, answer: string): Promise<Seen> {
  const { words, reached } = prepare(answer);
  const { frames, ending } = await sendOnce({
    address: { transport: 'stdio', command: process.execPath, args: words, cwd: null },
    tool: 'shelf',
    argumentsText,
    resultText: null,
    timeoutMs: TIMEOUT_MS,
  });
  const call = frames.findIndex(({ method }) => method === 'tools/call');
  const after = frames.slice(call + 1).filter(({ direction }) => direction === 'server-to-client');
  return {
    reached: reached(),
    shown: after.map(({ text }) => text).join('\n'),
    sentence: `${ending.outcome}: ${ending.sentence}`.slice(0, 300),
  };
}

async function inspect(depot: Depot, argumentsText: string, answer: string): Promise<Seen> {
  const { words, reached } = prepare(answer);
  const launcher = join(depot.folder, 'node_modules', INSPECTOR, 'clients/launcher/build/index.js');
  const flags = [
    '--method',
    'tools/call',
    '--tool-name',
    'shelf',
    '--tool-args-json',
    argumentsText,
  ];
  const child = spawn(process.execPath, [launcher, '--cli', process.execPath, ...words, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let shown = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const limits = limitTime(child, reached);
  const exitCode = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  limits.lift();
  const inWords = (text: string) => code(text.replace(/\s+/g, ' ').trim().slice(0, 200));
  return {
    reached: reached(),
    shown,
    sentence:
      exitCode === null
        ? `nothing within ${TIMEOUT_MS / 1000} s`
        : exitCode === 0
          ? `changed: ${inWords(shown)}`
          : `exit code ${exitCode}: ${inWords(stderr)}`,
  };
}

/** Ends a program that shows no answer in time, counted from when its call has come. */
function limitTime(child: ChildProcess, reached: () => string | null): { lift: () => void } {
  const end = () => void child.kill('SIGKILL');
  const timers = [setTimeout(end, START_MS)];
  const look = setInterval(() => {
    if (reached() === null) return;
    clearInterval(look);
    timers.push(setTimeout(end, TIMEOUT_MS));
  }, 100);
  return {
    lift: () => {
      clearInterval(look);
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
