import { sampleRuns } from '@misstep/demo';
import { TargetNameSchema } from '@misstep/model';
import { expect, test } from 'vitest';
import { makeFolder, openTestServices } from './support.ts';

const name = TargetNameSchema.parse('demo');

test('the demo comes once, works at once, and what is deleted stays away', async () => {
  const dataFolder = await makeFolder();
  const services = await openTestServices({ dataFolder });
  await services.demo.prepare();
  const { runs } = await services.runs.list({ offset: 0, limit: 10 });
  expect(runs).toHaveLength(sampleRuns().length);
  const first = await services.demo.firstRunId();
  if (first === null) throw new Error('no demo run');
  expect((await services.runs.get(first)).demo).toBe(true);

  // The calls of all three recordings are the same ones.
  const calls = await Promise.all(
    runs.map(async ({ id }) =>
      (await services.store.listSteps(id))
        .filter(({ kind }) => kind === 'tool')
        .map(({ tool, name: stepName }) => tool ?? stepName),
    ),
  );
  for (const each of calls) expect(each).toEqual(calls[0]);

  const step = (await services.store.listSteps(first)).find(({ kind }) => kind === 'tool');
  const started = await services.replays.start({
    runId: first,
    stepId: step?.id ?? ('' as never),
    targetName: name,
    argumentsText: null,
    tool: null,
    confirmTool: step?.tool ?? null,
    timeoutMs: 20_000,
    experimentId: null,
    prepared: null,
    idempotencyKey: 'demo-key-one',
  });
  const done = await services.replays.whenDone(started.id);
  expect(done.outcome).toBe('result');
  expect(done.comparison).not.toBeNull();

  await services.runs.remove(first);
  await services.targets.remove(name);
  const second = await services.demo.firstRunId();
  expect(second).not.toBe(first);
  await services.close();

  const again = await openTestServices({ dataFolder });
  await again.demo.prepare();
  expect((await again.runs.list({ offset: 0, limit: 10 })).total).toBe(runs.length - 1);
  expect(await again.targets.list()).toEqual([]);
  expect(await again.demo.firstRunId()).toBe(second);
});

test('a target that a person calls demo is left alone', async () => {
  const services = await openTestServices();
  await services.targets.add(name, {
    transport: 'streamable-http',
    url: 'http://127.0.0.1:9/mcp',
  });
  await services.demo.prepare();
  expect(await services.targets.list()).toMatchObject([
    { confirmedAt: null, address: { url: 'http://127.0.0.1:9/mcp' } },
  ]);
});
