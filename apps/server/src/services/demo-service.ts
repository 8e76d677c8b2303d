import { createReadStream } from 'node:fs';
import { demoServerCommand, sampleRuns } from '@misstep/demo';
import { isMisstepError, type RunId, RunIdSchema, TargetNameSchema } from '@misstep/model';
import type { Store } from '@misstep/store';
import { z } from 'zod';
import type { ImportService } from './import-service.ts';
import type { TargetService } from './target-service.ts';

/** Which runs came with the demo, in the order of the samples. Kept also once they are deleted. */
const RUNS_SETTING = 'demo.runs';
const TARGET_SETTING = 'demo.target';

export interface DemoService {
  /** Brings the sample runs and their target once; what a person deletes doesn't come back. */
  prepare(): Promise<void>;
  isDemoRun(runId: RunId): Promise<boolean>;
  /** The first demo run that is still there. */
  firstRunId(): Promise<RunId | null>;
}

export function createDemoService(
  store: Store,
  imports: ImportService,
  targets: TargetService,
): DemoService {
  async function knownRuns(): Promise<RunId[] | null> {
    const text = await store.getSetting(RUNS_SETTING);
    return text === null ? null : z.array(RunIdSchema).parse(JSON.parse(text));
  }

  async function addTarget(): Promise<void> {
    const name = TargetNameSchema.parse('demo');
    const { command, args } = demoServerCommand();
    const known = (await targets.list()).find((target) => target.name === name);
    if ((await store.getSetting(TARGET_SETTING)) !== null) {
      // Misstep may have moved since: its own server's path is then another, and only that.
      const moved =
        known?.address.transport === 'stdio' &&
        JSON.stringify([known.address.command, known.address.args]) !==
          JSON.stringify([command, args]);
      if (!moved || known.description !== (await store.getSetting(TARGET_SETTING))) return;
      await targets.remove(name);
    } else if (known !== undefined) {
      return;
    }
    const added = await targets.add(name, { transport: 'stdio', command, args, cwd: null });
    // The demo server is part of Misstep, so nobody has to read its command first.
    await targets.confirm(name, added.description, true);
    await store.setSetting(TARGET_SETTING, added.description);
  }

  return {
    async prepare() {
      await addTarget();
      if ((await knownRuns()) !== null) return;
      const outcomes = await imports.importFiles(
        sampleRuns().map(({ name, path }) => ({
          path: name,
          open: () => createReadStream(path),
        })),
      );
      const byName = new Map(outcomes.map((outcome) => [outcome.path, outcome.runs]));
      const runIds = sampleRuns().flatMap(({ name }) =>
        (byName.get(name) ?? []).map((run) => RunIdSchema.parse(run.id)),
      );
      await store.setSetting(RUNS_SETTING, JSON.stringify(runIds));
    },
    async isDemoRun(runId) {
      return ((await knownRuns()) ?? []).includes(runId);
    },
    async firstRunId() {
      for (const runId of (await knownRuns()) ?? []) {
        try {
          return (await store.getRun(runId)).run.id;
        } catch (error) {
          if (!isMisstepError(error) || error.code !== 'RUN_NOT_FOUND') throw error;
        }
      }
      return null;
    },
  };
}
