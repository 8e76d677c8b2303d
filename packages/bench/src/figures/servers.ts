import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkToolList } from '@misstep/replay';
import { type Depot, installDepot } from './depot.ts';
import { REAL_SERVERS, type RealServer } from './real-servers.ts';
import { code, table, writeReport } from './report.ts';
import { newFolder, type SentOnce, sendOnce } from './send-once.ts';
import { type StartedServer, startServer } from './start-server.ts';

const TIMEOUT_MS = 60_000;

/** Each server: connect, list, one call, the same call again, compare. */
export async function servers(): Promise<void> {
  const specs = [...new Set(REAL_SERVERS.map((each) => `${each.package}@${each.version}`))];
  const depot = installDepot(specs);
  const rows: string[][] = [];
  for (const server of REAL_SERVERS) {
    const row = await tryServer(depot, server).catch((error: unknown) => [
      String(error).slice(0, 300),
    ]);
    rows.push([`${server.package} ${server.version}`, server.transport, ...row]);
    process.stdout.write(
      `  ${server.package} ${server.transport}: ${row.slice(0, 3).join(', ')}\n`,
    );
  }
  writeReport('servers', 'Published servers', specs, [
    `${rows.filter((row) => row[3] !== undefined && row[3] !== '0').length} of ${rows.length} were greeted and listed their tools, ${rows.filter((row) => row[4]?.endsWith(': result')).length} answered the call with a result; calls for a missing file or without an argument are meant to be refused. Each was started in an empty home folder, greeted, asked for its tools, sent one harmless call and then, on a new connection, the same call again; the second answer is compared with the first. A finding of the tool list is what a strict client would trip over.`,
    '',
    ...table(
      [
        'server',
        'transport',
        'revision',
        'tools',
        'the call',
        'compared with itself',
        'what a strict client makes of the list',
        'seen beside',
      ],
      rows,
    ),
  ]);
}

async function tryServer(depot: Depot, server: RealServer): Promise<string[]> {
  const folder = prepareFolder();
  const fill = (text: string) => text.replaceAll('FOLDER', folder);
  const environment = new Map(
    Object.entries(server.environment ?? {}).map(([name, value]) => [name, fill(value)] as const),
  );
  const words = [depot.bin(server.package), ...server.args.map(fill)];
  // Inherited by the server; given as a target's setting it would be masked where the server says it.
  const home = process.env.HOME;
  process.env.HOME = folder;
  let running: StartedServer | null = null;
  try {
    running = await startServer(server.transport, words, environment);
    const call = {
      address: running.address,
      environment,
      tool: server.tool,
      argumentsText: fill(server.argumentsText),
      timeoutMs: TIMEOUT_MS,
    };
    const first = await sendOnce({ ...call, resultText: null });
    const { resultBytes } = first.logged;
    if (resultBytes === null) return describe(first, null, folder);
    const resultText = Buffer.from(resultBytes).toString();
    return describe(first, await sendOnce({ ...call, resultText }), folder);
  } finally {
    running?.stop();
    if (home !== undefined) process.env.HOME = home;
  }
}

function describe(first: SentOnce, again: SentOnce | null, folder: string): string[] {
  const { ending, logged } = first;
  const check = checkToolList(logged.listedTools);
  const scrub = (text: string) => text.replaceAll(folder, 'FOLDER').slice(0, 400);
  return [
    ending.receipt.protocolRevision ?? 'none',
    String(logged.listedTools.length),
    `${logged.tool ?? 'not sent'}: ${ending.outcome}`,
    scrub(again?.ending.comparison?.sentence ?? ending.sentence),
    scrub(check.sentence),
    scrub(oddities(first).join('; ')),
  ];
}

function oddities({ frames, events }: SentOnce): string[] {
  const noise = frames.filter(({ kind }) => kind === 'noise');
  const stderrBytes = events
    .filter(({ kind }) => kind === 'stderr')
    .reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const notes = events.filter(
    ({ kind, text }) => kind === 'note' && !/does not know server\/discover/.test(text),
  );
  return [
    ...(noise[0] === undefined ? [] : [`no JSON on stdout: ${code(noise[0].text.slice(0, 80))}`]),
    ...(stderrBytes > 0 ? [`${stderrBytes} bytes on stderr`] : []),
    ...new Set(notes.map(({ text }) => text)),
  ];
}

function prepareFolder(): string {
  const folder = newFolder();
  writeFileSync(join(folder, 'shelf.txt'), 'boxes: 9007199254740993\n');
  writeFileSync(join(folder, 'shelf.js'), 'let boxes = 3;\n');
  writeFileSync(join(folder, 'eslint.config.js'), 'export default [];\n');
  writeFileSync(join(folder, 'shelf.db'), '');
  spawnSync('git', ['init', '--quiet', folder]);
  return folder;
}
