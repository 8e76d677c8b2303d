import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { routes } from '@misstep/contract';
import type { Experiment, ExperimentPlan } from '@misstep/model';
import { lineServer } from '@misstep/testkit';
import { expect } from 'vitest';
import { depotName, type importedCall } from './depot.ts';
import { call, makeFolder, type TestApp, until } from './support.ts';

/**
 * A server whose answer is a JavaScript expression over `args` and `n`, the number of the call
 * over all its processes.
 */
export async function addServer(
  { services }: Pick<TestApp, 'services'>,
  answer: string,
): Promise<void> {
  const folder = await makeFolder();
  const script = join(folder, 'server.mjs');
  await writeFile(
    script,
    lineServer(
      `    const say = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
    if (method === 'initialize') say({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'depot', version: '9' } });
    if (method === 'tools/list') say({ tools: [{ name: 'find_parcel', inputSchema: { type: 'object' } }] });
    if (method !== 'tools/call') continue;
    appendFileSync(log, 'x');
    const n = readFileSync(log, 'utf8').length;
    const args = params.arguments;
    const answer = ${answer};
    if (answer !== undefined) say({ content: [{ type: 'text', text: JSON.stringify(answer) }] });`,
      `import { appendFileSync, readFileSync } from 'node:fs';
const log = ${JSON.stringify(join(folder, 'calls'))};`,
    ),
  );
  const added = await services.targets.add(depotName, {
    transport: 'stdio',
    command: process.execPath,
    args: [script],
    cwd: null,
  });
  await services.targets.confirm(depotName, added.description, false);
}

export type Place = Awaited<ReturnType<typeof importedCall>>;

export const common = { targetName: depotName, timeoutMs: 20_000, gapMs: 200 };
export const callOf = ({ stepId }: Place, argumentsText: string | null = null) => ({
  stepId,
  replayId: null,
  argumentsText,
});
export const repeatOf = (place: Place, times: number) => ({
  kind: 'repeat',
  ...common,
  call: callOf(place),
  times,
});
export const attributeOf = (place: Place, a: object, b: object, signature: string) => ({
  kind: 'attribute',
  ...common,
  call: callOf(place, JSON.stringify(a)),
  callB: callOf(place, JSON.stringify(b)),
  signature,
  repeats: 2,
});

export async function planOf(
  { app }: TestApp,
  place: Place,
  request: object,
): Promise<ExperimentPlan> {
  const sent = await call(app, routes.planExperiment, { params: place, body: { request } });
  expect([sent.status, sent.text]).toMatchObject([200, expect.anything()]);
  return sent.json as ExperimentPlan;
}

let keys = 0;
export async function startOf(
  { app }: TestApp,
  place: Place,
  plan: ExperimentPlan,
  change: object = {},
): ReturnType<typeof call> {
  keys += 1;
  const { request, seed, sha256: planSha256 } = plan;
  const body = {
    request,
    seed,
    planSha256,
    confirmTool: 'find_parcel',
    idempotencyKey: `experiment-${keys}`,
  };
  return call(app, routes.startExperiment, { params: place, body: { ...body, ...change } });
}

export async function runOf(opened: TestApp, place: Place, request: object): Promise<Experiment> {
  const started = await startOf(opened, place, await planOf(opened, place, request));
  expect([started.status, started.text]).toMatchObject([200, expect.anything()]);
  return ended(opened, (started.json as Experiment).id);
}

export async function ended({ app }: TestApp, experimentId: string): Promise<Experiment> {
  return until(async () => {
    const shown = await call(app, routes.getExperiment, { params: { experimentId } });
    const experiment = shown.json as Experiment;
    return experiment.state === 'running' ? null : experiment;
  });
}
