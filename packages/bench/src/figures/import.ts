import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  LONG_RECORDINGS,
  writeLongLine,
  writeLongRecording,
  writeSmallFiles,
} from './long-recordings.ts';
import { loadNow, table, writeReport } from './report.ts';

const COMMAND = fileURLToPath(new URL('../../../../apps/cli/bin/misstep.js', import.meta.url));
/** Some minutes for all of them; for larger ones there is `--size`. */
const USUAL_BYTES = 50e6;
/** Above what a line may have. */
const LONG_LINE_BYTES = 100e6;
const SMALL_FILES = 500;
/** What takes longer is ended, and said to be. */
const MOST_MS = 15 * 60_000;
/** Told by the process itself when it ends: the peak of all its threads together. */
const TELL_PEAK =
  'data:text/javascript,process.on("exit",()=>console.error("PEAK "+process.resourceUsage().maxRSS+" "+Math.round(process.cpuUsage().user/1000+process.cpuUsage().system/1000)))';

/** Time and memory of `misstep import` on long recordings and on many small ones. */
export async function importFigure(options: { readonly sizeBytes: number | null }): Promise<void> {
  const sizeBytes = options.sizeBytes ?? USUAL_BYTES;
  const rows: string[][] = [];
  const take = async (
    title: string,
    size: string,
    write: (path: string) => Promise<void>,
    times = 1,
  ): Promise<void> => {
    for (const [index, measured] of (await measure(write, times)).entries()) {
      rows.push([index === 0 ? title : `${title}, again`, size, ...measured]);
      process.stdout.write(`  ${rows.at(-1)?.join('  ')}\n`);
    }
  };
  for (const title of Object.keys(LONG_RECORDINGS)) {
    await take(title, sizeWords(sizeBytes), (path) => writeLongRecording(path, title, sizeBytes));
  }
  await take('one line of a session', sizeWords(LONG_LINE_BYTES), (path) =>
    writeLongLine(path, LONG_LINE_BYTES),
  );
  await take(
    'a folder of small sessions',
    `${SMALL_FILES} files`,
    (path) => writeSmallFiles(path, SMALL_FILES),
    2,
  );
  writeReport(
    'import',
    'What a long import takes',
    [],
    [
      `\`misstep import PATH\` on made-up recordings of calls and results, most of them of 3 kB, some of 20 and 250 kB, into an empty data folder. Load ${loadNow()} at the end. The memory is the most that the whole process had resident: taking in, reading, putting in order and saving, in all its threads; some 185 MiB of it are the program itself. Memory does not depend on what else a machine does, seconds do; processor time is that of all threads, with two seconds for the start.`,
      '',
      `Without \`--size\` recordings have ${sizeWords(USUAL_BYTES)}, so that this ends in some minutes; \`npm run figures -- import --size 1GB\` makes them that large. What takes more than ${MOST_MS / 60_000} minutes is ended.`,
      '',
      ...table(
        ['recording', 'size', 'peak memory', 'time', 'processor', 'records', 'steps', 'not read'],
        rows,
      ),
      '',
      'A line of more than 64 MiB is kept and not read (decision 0092). Spans of OpenTelemetry come in any order: what puts them in order stays in memory, some 500 bytes a span, and the rest is read again from the file (decision 0101).',
    ],
  );
}

/** What the command took each of so many times, one after the other into the same data folder. */
async function measure(write: (path: string) => Promise<void>, times: number): Promise<string[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'misstep-figures-'));
  try {
    const file = join(folder, 'recording');
    await write(file);
    const words = ['import', file, '--data', join(folder, 'data'), '--json'];
    const rows: string[][] = [];
    for (let time = 0; time < times; time += 1) {
      rows.push(await measureOnce([`--import=${TELL_PEAK}`, COMMAND, ...words]));
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureOnce(words: readonly string[]): Promise<string[]> {
  const startedMs = performance.now();
  const ended = await run(words);
  const seconds = `${((performance.now() - startedMs) / 1000).toFixed(0)} s`;
  if (ended === null) return ['', `over ${seconds}`, '', '', '', ''];
  let [records, steps, unread] = [0, 0, 0];
  // One line a file, as docs/cli.md has it.
  for (const line of ended.out.trim().split('\n')) {
    const outcome = JSON.parse(line) as {
      records: { total: number; malformed: number; notUnderstood: number };
      runs: { steps: number }[];
    };
    records += outcome.records.total;
    unread += outcome.records.malformed + outcome.records.notUnderstood;
    steps += outcome.runs.reduce((sum, run) => sum + run.steps, 0);
  }
  const peak = `${Math.round(ended.peakKilobytes / 1024)} MiB`;
  const processor = `${(ended.processorMs / 1000).toFixed(1)} s`;
  return [peak, seconds, processor, String(records), String(steps), String(unread)];
}

/** Null = it took too long and was ended. */
async function run(
  words: readonly string[],
): Promise<{ out: string; peakKilobytes: number; processorMs: number } | null> {
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: MOST_MS,
    killSignal: 'SIGKILL',
  });
  let out = '';
  let told = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    told += chunk;
  });
  const exitCode = await new Promise((resolve) => child.on('close', resolve));
  if (child.signalCode === 'SIGKILL') return null;
  const [, peak, processor] = /PEAK (\d+) (\d+)/.exec(told) ?? [];
  if (exitCode !== 0 || peak === undefined) throw new Error(`the import failed: ${told || out}`);
  return { out, peakKilobytes: Number(peak), processorMs: Number(processor) };
}

function sizeWords(bytes: number): string {
  return bytes >= 1e9 ? `${bytes / 1e9} GB` : `${bytes / 1e6} MB`;
}
