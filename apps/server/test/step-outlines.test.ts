import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { auditRecording } from '@misstep/diagnosis';
import { importers, memorySource } from '@misstep/importers';
import type { SourceHash } from '@misstep/model';
import { activeTimeOf, buildSkeleton, PRICE_TABLE, PriceFinder, RunIdSchema } from '@misstep/model';
import { expect, test } from 'vitest';
import { StepOutlines } from '../src/services/step-outlines.ts';

const FIXTURES = fileURLToPath(new URL('../../../packages/importers/fixtures', import.meta.url));
const MOST_BYTES = 1_000_000;

const cases = importers.map((importer) => [importer.id, importer] as const);

test.each(cases)(
  'outlines of %s give the tree, the audit and the active time of the steps',
  async (id, importer) => {
    const folder = join(FIXTURES, id);
    let compared = 0;
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (name.endsWith('.expected.json') || !statSync(path).isFile()) continue;
      if (statSync(path).size > MOST_BYTES) continue;
      const bytes = new Uint8Array(readFileSync(path));
      // The digest is 64 lower-case hexadecimal digits, which is what the brand asks for.
      const sha256 = createHash('sha256').update(bytes).digest('hex') as SourceHash;
      const main = memorySource(name, bytes, sha256);
      for (const run of (await importer.read({ main, companions: [] })).runs) {
        const outlines = new StepOutlines();
        const kept = run.steps.map((step) => outlines.of(step));
        const facts = {
          runId: RunIdSchema.parse(`r${'a'.repeat(20)}`),
          tools: run.tools,
          frameCount: run.frames.length,
          clock: run.clock,
          prices: new PriceFinder(PRICE_TABLE),
          recordedCostUsd: run.recordedCostUsd ?? null,
        };
        const none = new Set<never>();
        expect(buildSkeleton({ startedAtNs: 0n }, kept, none)).toEqual(
          buildSkeleton({ startedAtNs: 0n }, run.steps, none),
        );
        expect(auditRecording({ ...facts, steps: kept })).toEqual(
          auditRecording({ ...facts, steps: run.steps }),
        );
        expect(activeTimeOf(kept)).toBe(activeTimeOf(run.steps));
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(0);
  },
);
