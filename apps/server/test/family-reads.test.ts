import { createHash } from 'node:crypto';
import { importerById, makeSourceHead, memorySource } from '@misstep/importers';
import type { SourceHash } from '@misstep/model';
import type { StoredSource } from '@misstep/store';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Grouped, inOrder } from '../src/services/import/family-order.ts';
import { FAMILIES, type Family } from './session-families.ts';

/** What several files of one run give, in every order of their first imports; without a store around it. */

type Member = Grouped & { readonly reader: ReturnType<typeof memorySource> };

async function membersOf({ format, files }: Family): Promise<Member[]> {
  const importer = importerById(format);
  const members: Member[] = [];
  for (const [path, text] of Object.entries(files)) {
    const bytes = new TextEncoder().encode(text);
    // 64 lower-case hexadecimal digits, which is what the brand asks for.
    const sha256 = createHash('sha256').update(bytes).digest('hex') as SourceHash;
    const reader = memorySource(path, bytes, sha256);
    const group = importer?.group?.(await makeSourceHead(reader), path);
    if (group === null || group === undefined) throw new Error(`${path} has no group`);
    const source: StoredSource = { sha256, name: path, sizeBytes: bytes.length, importedAt: '' };
    members.push({ reader, source, group });
  }
  return members;
}

async function readRun(format: string, [main, ...others]: readonly Member[], isAlone = false) {
  const importer = importerById(format);
  if (main === undefined || importer === null) throw new Error('nothing to read');
  const all = [main, ...others];
  const heads = inOrder(all.filter(({ group }) => group.role === 'main'));
  const result = await importer.read({
    main: main.reader,
    mainGroup: main.group,
    order: isAlone && heads.length === 0 ? [] : heads.map(({ source }) => source.sha256),
    companions: others.map(({ reader, group }) => ({
      reader,
      group:
        group.role === 'main' ? { ...group, role: 'companion' as const, part: group.key } : group,
    })),
  });
  const [run] = result.runs;
  if (run === undefined || result.runs.length > 1) throw new Error('no run, or several');
  return { run, issues: result.issues };
}

function toldOf({ run, issues }: Awaited<ReturnType<typeof readRun>>): unknown {
  const places = new Map(run.steps.map(({ id, seq }) => [id, seq]));
  expect(places.size).toBe(run.steps.length);
  return {
    facts: [run.title, run.client, run.model, run.naturalId, run.clock, run.recordedCostUsd],
    issues: issues.map(({ code, message }) => `${code}: ${message}`).sort(),
    steps: run.steps.map((step) => [
      ...[step.kind, step.name, step.summary, step.status, step.time, step.usage, step.callId],
      step.parentId === null ? null : places.get(step.parentId),
    ]),
    frames: run.frames.map(({ kind, method, idText, wallNs, stepId }) => [
      ...[kind, method, idText, wallNs],
      stepId === null ? null : places.get(stepId),
    ]),
  };
}

function countsOf({ run }: Awaited<ReturnType<typeof readRun>>) {
  return {
    calls: run.steps.filter(({ kind }) => kind === 'tool' || kind === 'agent').length,
    inputTokens: run.steps.reduce((sum, { usage }) => sum + (usage?.inputTokens ?? 0), 0),
  };
}

function ordersOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((each) =>
    ordersOf(items.filter((other) => other !== each)).map((rest) => [each, ...rest]),
  );
}

test.each(Object.entries(FAMILIES))(
  '%s give the same run in every order, and steps keep their ids',
  async (_name, familyOf) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1_000_000), async (seed) => {
        const family = familyOf(seed);
        const members = await membersOf(family);
        let expected: unknown;
        for (const order of ordersOf(members)) {
          const whole = await readRun(family.format, order);
          expected ??= toldOf(whole);
          expect(toldOf(whole)).toEqual(expected);
          expect(countsOf(whole)).toEqual({ calls: family.calls, inputTokens: family.inputTokens });
          const alone = await readRun(family.format, order.slice(0, 1), true);
          expect(whole.run.key).toBe(alone.run.key);
          const after = new Map(whole.run.steps.map((step) => [step.id, step.summary]));
          for (const { id, summary } of alone.run.steps) {
            expect([id, after.get(id)]).toEqual([id, summary]);
          }
        }
      }),
      { numRuns: 20 },
    );
  },
);
