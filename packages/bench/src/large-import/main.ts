import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Peak memory and time of `misstep import` on a session of so many megabytes (the first argument, 100
 * if not given), and with `line` as the second on one line of that size. Prints one JSON line.
 */
const megabytes = Number(process.argv[2] ?? '100');
const isOneLine = process.argv[3] === 'line';
const command = fileURLToPath(new URL('../../../../apps/cli/bin/misstep.js', import.meta.url));
const PROSE =
  'Der Lieferschein für die Werkstatt in Köln; parcel ledger, meadow and granite. '.repeat(4000);

const folder = await mkdtemp(join(tmpdir(), 'misstep-bench-'));
try {
  const file = join(folder, 'session.jsonl');
  await writeSession(file);
  const started = performance.now();
  const tell = 'process.on("exit",()=>console.error("PEAK "+process.resourceUsage().maxRSS))';
  const peak = `data:text/javascript,${tell}`;
  const words = [
    `--import=${peak}`,
    command,
    'import',
    file,
    '--data',
    join(folder, 'data'),
    '--json',
  ];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => {
    told += chunk.toString();
  });
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const peakKilobytes = Number(/PEAK (\d+)/.exec(told)?.[1] ?? Number.NaN);
  const seconds = (performance.now() - started) / 1000;
  console.log(
    JSON.stringify({
      megabytes,
      isOneLine,
      exitCode,
      peakMegabytes: peakKilobytes / 1024,
      seconds,
    }),
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Calls and results in turn, some of them long. */
async function writeSession(path: string): Promise<void> {
  const stream = createWriteStream(path);
  let bytes = 0;
  const put = async (record: object): Promise<void> => {
    const line = Buffer.from(`${JSON.stringify(record)}\n`);
    bytes += line.length;
    if (!stream.write(line)) await new Promise<void>((done) => stream.once('drain', () => done()));
  };
  const base = {
    isSidechain: false,
    sessionId: 'bench',
    version: '2.1.40',
    cwd: '/srv/desk',
  };
  for (let index = 0; bytes < megabytes * 1e6; index += 1) {
    const timestamp = new Date(Date.UTC(2026, 0, 5) + index * 900).toISOString();
    const of = {
      ...base,
      uuid: `u${index}`,
      parentUuid: index === 0 ? null : `u${index - 1}`,
      timestamp,
    };
    if (isOneLine) {
      const content = PROSE.repeat(Math.ceil((megabytes * 1e6) / Buffer.byteLength(PROSE)));
      await put({ ...of, type: 'user', message: { role: 'user', content: 'Where is it?' } });
      await put({ ...of, uuid: 'long', type: 'user', message: { role: 'user', content } });
    } else if (index % 2 === 0) {
      const block = {
        type: 'tool_use',
        id: `t${index}`,
        name: 'mcp__desk__find',
        input: { query: PROSE.slice(0, 200) },
      };
      const usage = { input_tokens: 900, output_tokens: 120 };
      const message = {
        id: `m${index}`,
        role: 'assistant',
        model: 'bench',
        content: [block],
        usage,
      };
      await put({ ...of, type: 'assistant', requestId: `r${index}`, message });
    } else {
      const length = index % 199 === 0 ? 250_000 : index % 21 === 0 ? 20_000 : 3000;
      const block = {
        type: 'tool_result',
        tool_use_id: `t${index - 1}`,
        content: PROSE.slice(0, length),
      };
      await put({ ...of, type: 'user', message: { role: 'user', content: [block] } });
    }
  }
  await new Promise<void>((resolve) => stream.end(() => resolve()));
}
