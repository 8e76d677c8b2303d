import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { RunIdSchema, StepIdSchema, TargetNameSchema, UlidSchema } from '@misstep/model';
import BetterSqlite3 from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openStore, type Store } from '../src/index.ts';
import { temporaryFolder } from './support.ts';

const ROUNDS = 25;
const CHILD = fileURLToPath(new URL('crash-child.mjs', import.meta.url));

/** What crash-child.mjs says. */
interface Line {
  readonly begin?: 'run' | 'delete';
  readonly done?: 'run' | 'mark' | 'target' | 'replay' | 'replayEnd' | 'delete';
  readonly runId?: string;
  readonly stepCount?: number;
  readonly reason?: string;
  readonly name?: string;
  readonly replayId?: string;
}

/** Lets the child work, kills it some time after so many lines, gives what it had said. */
async function killAfter(
  dataFolder: string,
  round: number,
  lineCount: number,
  delayMs: number,
): Promise<Line[]> {
  const child = spawn(process.execPath, [CHILD, dataFolder, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: Line[] = [];
  for await (const text of createInterface({ input: child.stdout })) {
    // The last line may be cut by the kill; it acknowledges nothing then.
    if (!text.endsWith('}')) continue;
    const line: Line = JSON.parse(text);
    lines.push(line);
    if (lines.length === lineCount) setTimeout(() => child.kill('SIGKILL'), delayMs);
  }
  return lines;
}

/** Everything acknowledged is there, and nothing is there by half. */
async function verify(store: Store, lines: readonly Line[]): Promise<void> {
  const done = lines.filter((line) => line.done !== undefined);
  const deletionsBegun = new Set<string | undefined>(
    lines.filter((line) => line.begin === 'delete').map((line) => line.runId),
  );
  const deleted = new Set<string | undefined>(
    done.filter((line) => line.done === 'delete').map((line) => line.runId),
  );
  const { runs } = await store.listRuns({ offset: 0, limit: 10_000 });
  const present = new Map(runs.map((stored) => [stored.run.id, stored]));

  for (const { run } of runs) {
    const steps = await store.listSteps(run.id);
    expect(steps.map((step) => step.seq)).toEqual(
      Array.from({ length: run.stepCount }, (_, index) => index + 1),
    );
    const detail = await store.getRun(run.id);
    expect(detail.sources).toHaveLength(1);
    for (const source of detail.sources) {
      const bytes = await readFile(await store.sourcePath(source.sha256));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(source.sha256);
    }
  }
  const ended = new Set<string | undefined>(
    done.filter((line) => line.done === 'replayEnd').map((l) => l.replayId),
  );
  for (const line of done) {
    if (line.done === 'target') {
      const name = TargetNameSchema.parse(line.name);
      expect((await store.getTarget(name)).confirmedAt).not.toBeNull();
      continue;
    }
    const runId = RunIdSchema.parse(line.runId);
    if (deleted.has(runId)) {
      expect(present.has(runId)).toBe(false);
      continue;
    }
    const stored = present.get(runId);
    if (stored === undefined) {
      // Only a deletion that wasn't acknowledged any more may have taken it.
      expect(deletionsBegun.has(runId)).toBe(true);
      continue;
    }
    if (line.done === 'run') expect(stored.run.stepCount).toBe(line.stepCount);
    if (line.done === 'mark') expect(stored.mark?.reason).toBe(line.reason);
    if (line.done === 'replay') {
      const replayId = UlidSchema.parse(line.replayId);
      const replay = await store.getReplay(replayId);
      if (ended.has(replayId)) expect(replay.outcome).toBe('timedOut');
      else expect(['timedOut', 'interrupted']).toContain(replay.outcome);
      expect(await readFile(replay.frameLogPath, 'utf8')).toContain('frames of');
      expect(replay.stepId).toBe(StepIdSchema.parse('s1'));
    }
  }
}

/** Files that belong to nothing. */
async function strays(store: Store): Promise<string[]> {
  const database = new BetterSqlite3(join(store.dataFolder, 'misstep.db'), { readonly: true });
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(database.pragma('foreign_key_check')).toEqual([]);
  const column = (sql: string) => new Set(database.prepare(sql).pluck().all());
  const hashes = column('SELECT sha256 FROM runSources');
  const replays = column("SELECT id || '.frames' FROM replays");
  database.close();
  const list = (name: string) => readdir(join(store.dataFolder, name), { recursive: true });
  return [
    ...(await list('incoming')),
    ...(await list('sources'))
      .map((name) => name.slice(3))
      .filter((name) => name !== '' && !hashes.has(name)),
    ...(await list('replays')).filter((name) => !replays.has(name)),
  ];
}

describe('killing the process', () => {
  it(`at any moment loses nothing acknowledged, ${ROUNDS} times`, {
    timeout: 300_000,
  }, async () => {
    const dataFolder = await temporaryFolder();
    const lines: Line[] = [];
    const moments = fc.sample(
      fc.tuple(fc.integer({ min: 1, max: 14 }), fc.integer({ min: 0, max: 40 })),
      ROUNDS,
    );
    for (const [round, [lineCount, delayMs]] of moments.entries()) {
      lines.push(...(await killAfter(dataFolder, round + 1, lineCount, delayMs)));
      const store = await openStore({ dataFolder });
      try {
        await verify(store, lines);
        expect(await strays(store)).toEqual([]);
      } finally {
        await store.close();
      }
    }
    expect(lines.filter((line) => line.done !== undefined).length).toBeGreaterThan(ROUNDS);
  });
});
