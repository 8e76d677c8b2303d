import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reasonFor } from './conformance-reasons.ts';
import { type Depot, installDepot } from './depot.ts';
import { ROOT, table, writeReport } from './report.ts';

const SUITE = '@modelcontextprotocol/conformance';
const RELEASES = [
  { version: '0.1.16', revision: null, title: 'all client scenarios' },
  { version: '0.2.0-alpha.12', revision: '2025-11-25', title: 'requirements of 2025-11-25' },
  { version: '0.2.0-alpha.12', revision: '2026-07-28', title: 'requirements of 2026-07-28' },
] as const;

interface Scenario {
  readonly name: string;
  readonly revisions: readonly string[];
}

interface Check {
  readonly id: string;
  readonly status: string;
}

/** Runs our client through the public suite, two scenarios at a time, and writes the tables. */
export async function conformance(): Promise<void> {
  const body: string[] = [
    'The client is `packages/bench/src/conformance-client`: the connection and the sign-in of the product, and a stand-in for the person, who approves each sign-in, accepts each form with its defaults, signs in again with the scope that a refusal names, and calls what the scenario is about. A check that is skipped or only informs is not counted.',
  ];
  for (const { version, revision, title } of RELEASES) {
    const depot = installDepot([`${SUITE}@${version}`]);
    const all = await listScenarios(depot);
    const wanted =
      revision === null
        ? all
        : all.filter(({ revisions }) =>
            revisions.some((each) => each === revision || each === 'extension'),
          );
    if (wanted.length === 0) throw new Error('The suite lists no client scenario.');
    const rows = await runAll(depot, wanted, revision);
    body.push('', `## ${version}, ${title}`, '', summary(rows), '');
    body.push(
      ...table(
        ['scenario', 'passed', 'warnings', 'failed', 'what failed or warned, and why'],
        rows.map(({ cells }) => cells),
      ),
    );
  }
  const packages = [...new Set(RELEASES.map(({ version }) => `${SUITE}@${version}`))];
  writeReport('conformance', 'The public conformance suite', packages, body);
}

interface Row {
  readonly passes: boolean;
  readonly isExplained: boolean;
  readonly isExtension: boolean;
  readonly cells: readonly string[];
}

async function runAll(
  depot: Depot,
  scenarios: readonly Scenario[],
  revision: string | null,
): Promise<Row[]> {
  const rows: Row[] = [];
  const waiting = [...scenarios.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [at, scenario] = next;
      rows[at] = describe(scenario, await runScenario(depot, scenario.name, revision));
      process.stdout.write(`  ${rows[at]?.cells.slice(0, 4).join('  ')}\n`);
    }
  };
  await Promise.all([work(), work()]);
  return rows;
}

function describe(scenario: Scenario, checks: readonly Check[]): Row {
  const count = (status: string) => checks.filter((check) => check.status === status).length;
  const bad = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  const ids = [...new Set(bad.map(({ id }) => id))];
  const isExtension = scenario.revisions.includes('extension');
  const reasons = new Set(ids.map((id) => reasonFor(scenario.name, id, isExtension)));
  const passes = checks.length > 0 && bad.length === 0;
  return {
    passes,
    isExplained: !passes && checks.length > 0 && !reasons.has(null),
    isExtension,
    cells: [
      scenario.name,
      String(count('SUCCESS')),
      String(count('WARNING')),
      checks.length === 0 ? 'no result' : String(count('FAILURE')),
      passes
        ? ''
        : `${ids.join(', ')}: ${[...reasons].map((each) => each ?? 'a fault of ours').join('; ')}`,
    ],
  };
}

function summary(rows: readonly Row[]): string {
  const core = rows.filter(({ isExtension }) => !isExtension);
  const passing = core.filter(({ passes }) => passes).length;
  const explained = core.filter(({ isExplained }) => isExplained).length;
  const extensions = rows.length - core.length;
  return `${passing} of ${core.length} scenarios pass whole, ${explained} have a finding that does not apply or is meant (see the reason), ${core.length - passing - explained} are faults of ours. ${extensions} scenarios of extensions that Misstep does not speak are listed with them.`;
}

async function listScenarios(depot: Depot): Promise<Scenario[]> {
  const { stdout } = await suite(depot, ['list'], null);
  const part = stdout.split('Client scenarios')[1]?.split('\n\n')[0] ?? '';
  return [...part.matchAll(/^ {2}- (\S+) \[([^\]]*)\]/gm)].map(([, name = '', tags = '']) => ({
    name,
    revisions: tags.split(','),
  }));
}

async function runScenario(
  depot: Depot,
  name: string,
  revision: string | null,
): Promise<readonly Check[]> {
  const folder = mkdtempSync(join(tmpdir(), 'misstep-conformance-'));
  try {
    const client = 'node packages/bench/dist/conformance-client/main.js';
    const options = ['--command', client, '--scenario', name, '--timeout', '90000', '-o', folder];
    if (revision !== null) options.push('--spec-version', revision, '--force');
    const { stderr } = await suite(depot, ['client', ...options], 150_000);
    const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((each) =>
      each.endsWith('checks.json'),
    );
    if (file === undefined) {
      process.stdout.write(`${name} left no result: ${stderr.slice(-500)}\n`);
      return [];
    }
    // Written by the suite whose version is pinned.
    return JSON.parse(readFileSync(join(folder, file), 'utf8')) as Check[];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function suite(
  depot: Depot,
  words: readonly string[],
  timeoutMs: number | null,
): Promise<{ stdout: string; stderr: string }> {
  const hook = join(ROOT, 'packages/bench/hooks/add-glob.mjs');
  const child = spawn(process.execPath, ['--import', hook, depot.bin(SUITE), ...words], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(timeoutMs === null ? {} : { timeout: timeoutMs }),
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  return said;
}
