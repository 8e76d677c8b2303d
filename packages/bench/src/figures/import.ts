import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LONG_RECORDINGS, writeLongLine, writeLongRecording } from './long-recordings.ts';
import { table, writeReport } from './report.ts';

const COMMAND = fileURLToPath(new URL('../../../../apps/cli/bin/misstep.js', import.meta.url));
const MEGABYTES = 100;
/** That large only the first format, since it takes minutes. */
const LARGEST_MEGABYTES = 1000;
const LONG_LINE_MEGABYTES = 200;
/** Told by the process itself when it ends: the peak of all its threads together. */
const TELL_PEAK =
  'data:text/javascript,process.on("exit",()=>console.error("PEAK "+process.resourceUsage().maxRSS))';

/** Time and memory of `misstep import` on long recordings. */
export async function importFigure(): Promise<void> {
  const rows: string[][] = [];
  const titles = Object.keys(LONG_RECORDINGS);
  for (const [index, title] of titles.entries()) {
    for (const megabytes of index === 0 ? [MEGABYTES, LARGEST_MEGABYTES] : [MEGABYTES]) {
      const write = (path: string) => writeLongRecording(path, title, megabytes * 1e6);
      rows.push([title, `${megabytes} MB`, ...(await measure(write))]);
      process.stdout.write(`  ${rows.at(-1)?.join('  ')}\n`);
    }
  }
  const write = (path: string) => writeLongLine(path, LONG_LINE_MEGABYTES * 1e6);
  rows.push(['one line of a session', `${LONG_LINE_MEGABYTES} MB`, ...(await measure(write))]);
  writeReport(
    'import',
    'What a long import takes',
    [],
    [
      '`misstep import FILE` on a made-up recording of calls and results, most of them of 3 kB, some of 20 and 250 kB, into an empty data folder. The memory is the most that the whole process had resident: taking in, reading, putting in order and saving, in all its threads. About 190 MB of it are the program itself. The seconds are of a machine with other work to do.',
      '',
      ...table(['recording', 'size', 'peak memory', 'time', 'records', 'steps', 'not read'], rows),
      '',
      'OpenTelemetry lines are the exception to steady memory: spans come in any order, and all of them are held until the last has come (decision 0091).',
    ],
  );
}

async function measure(write: (path: string) => Promise<void>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'misstep-figures-'));
  try {
    const file = join(folder, 'recording');
    await write(file);
    const startedMs = performance.now();
    const words = ['import', file, '--data', join(folder, 'data'), '--json'];
    const { out, peakKilobytes } = await run([`--import=${TELL_PEAK}`, COMMAND, ...words]);
    const seconds = (performance.now() - startedMs) / 1000;
    // One line, as docs/cli.md has it.
    const outcome = JSON.parse(out) as {
      records: { total: number; malformed: number; notUnderstood: number };
      runs: { steps: number }[];
    };
    const { total, malformed, notUnderstood } = outcome.records;
    return [
      `${Math.round(peakKilobytes / 1024)} MiB`,
      `${seconds.toFixed(0)} s`,
      String(total),
      String(outcome.runs.reduce((sum, { steps }) => sum + steps, 0)),
      String(malformed + notUnderstood),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(words: readonly string[]): Promise<{ out: string; peakKilobytes: number }> {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let told = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    told += chunk;
  });
  const exitCode = await new Promise((resolve) => child.on('close', resolve));
  const peak = /PEAK (\d+)/.exec(told)?.[1];
  if (exitCode !== 0 || peak === undefined) throw new Error(`the import failed: ${told || out}`);
  return { out, peakKilobytes: Number(peak) };
}
