import { type Step, totalsOf } from '@misstep/model';
import BetterSqlite3 from 'better-sqlite3';
import { expect, it } from 'vitest';
import { modelUsage } from '../src/migrations/0010-model-usage.ts';
import { MIGRATIONS } from '../src/migrations/index.ts';
import { encodeStep, STEP_COLUMNS } from '../src/step-row.ts';
import {
  addSource,
  hashOf,
  makeImport,
  makeRun,
  makeStep,
  openTemporaryStore,
  temporaryFolder,
} from './support.ts';

const sha256 = hashOf('{}');

const COUNTS: readonly (Step['usage'] | null)[] = [
  null,
  use(10, 5, null, null, false),
  use(10, 5, 4, 2, false),
  use(10, 5, 4, 2, true),
  use(3, null, 9, 0, false),
  use(null, 7, 8, null, false),
  use(250_000, 1, 0, 0, false),
  use(1, 1, 200_000, 0, true),
  use(null, null, null, null, true),
];

function use(
  inputTokens: number | null,
  outputTokens: number | null,
  cacheReadTokens: number | null,
  cacheWriteTokens: number | null,
  inputExcludesCache: boolean,
) {
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, inputExcludesCache };
}

it('runs of before get the same groups from their steps that a new import gives them', () => {
  const database = new BetterSqlite3(':memory:');
  const before = MIGRATIONS.indexOf(modelUsage);
  for (const migration of MIGRATIONS.slice(0, before)) database.exec(migration);
  const steps = COUNTS.flatMap((usage, index) => [
    makeStep(sha256, index * 3 + 1, { kind: 'model', model: 'sonnet "4"', usage }),
    makeStep(sha256, index * 3 + 2, { kind: 'model', model: null, usage }),
    makeStep(sha256, index * 3 + 3, { kind: index % 2 === 0 ? 'agent' : 'tool', usage }),
  ]);
  const columns = ['runKey', ...STEP_COLUMNS];
  const insert = database.prepare(
    `INSERT INTO steps (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  database.pragma('foreign_keys = OFF');
  for (const step of steps) insert.run(1, ...encodeStep(step, [sha256]));
  for (const key of [1, 2]) insertRun(database, key);
  database.exec(modelUsage);
  const rows = database.prepare('SELECT key, modelUsageJson AS json FROM runs ORDER BY key').all();
  const [first, second] = rows.map((row) => JSON.parse(String(Reflect.get(Object(row), 'json'))));
  expect(first).toEqual(totalsOf(steps).modelUsage);
  expect(first.length).toBe(8);
  expect(second).toEqual([]);
  database.close();
});

/** A row with something in every column that must have it. */
function insertRun(database: BetterSqlite3.Database, key: number): void {
  const columns = database.pragma('table_info(runs)');
  const needed = columnsOf(columns).filter(({ name, notnull, dflt_value }) =>
    name === 'key' ? true : notnull === 1 && dflt_value === null,
  );
  const values = needed.map(({ name, type }) =>
    name === 'key' ? key : name === 'id' ? `r${key}` : type === 'INTEGER' ? 0 : '[]',
  );
  const names = needed.map(({ name }) => name).join(', ');
  database
    .prepare(`INSERT INTO runs (${names}) VALUES (${needed.map(() => '?').join(', ')})`)
    .run(...values);
}

interface Column {
  name: string;
  type: string;
  notnull: number;
  dflt_value: unknown;
}

function columnsOf(rows: unknown): Column[] {
  // SQLite's own description of a table: these columns are in each of its rows.
  return rows as Column[];
}

it('a cost that the source states comes back as written, and none as null', async () => {
  const store = await openTemporaryStore(await temporaryFolder());
  const source = await addSource(store, '{}\n');
  const steps = ['0.0100', null].map((recordedCostUsd, index) =>
    makeStep(source.sha256, index + 1, { kind: 'model', recordedCostUsd }),
  );
  const { modelUsage: groups } = totalsOf(steps);
  const run = { modelUsage: groups, recordedCostUsd: '1e-05' };
  const saved = makeRun(source.sha256, { steps, run });
  await store.saveImport(makeImport(source.sha256, [saved]));
  const back = await store.listSteps(saved.run.id);
  expect(back.map((step) => step.recordedCostUsd)).toEqual(['0.0100', null]);
  const stored = (await store.getRun(saved.run.id)).run;
  expect(stored.modelUsage).toEqual(groups);
  expect(stored.recordedCostUsd).toBe('1e-05');
});
