import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TargetName, TargetNameSchema } from '@misstep/model';
import { lineServer } from '@misstep/testkit';
import type { Services } from '../src/compose.ts';
import { fileOf } from './recordings.ts';
import { makeFolder, smallRecording } from './support.ts';

/** A tiny MCP server that keeps every line it was sent, and counts its starts. */
const SERVER = lineServer(
  `    appendFileSync(log, line + '\\n');
    const answer = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
    if (method === 'server/discover') process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } }) + '\\n');
    else if (method === 'initialize') answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'depot', version: '9' } });
    else if (method === 'tools/list') answer({ tools: [{ name: 'find_parcel', inputSchema: { type: 'object' } }, { name: 'peek', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }] });
    else if (method === 'tools/call' && params.arguments.code !== 'hang') answer({ content: [{ type: 'text', text: 'here' }] });`,
  `import { appendFileSync, mkdirSync } from 'node:fs';
const log = process.argv[2];
appendFileSync(log + '.starts', JSON.stringify(process.argv.slice(3)) + '\\n');`,
);

export interface Depot {
  readonly args: string[];
  readonly lines: () => Promise<string[]>;
  readonly starts: () => Promise<string[]>;
}

export async function makeDepot(): Promise<Depot> {
  const folder = await makeFolder();
  const script = join(folder, 'server.mjs');
  const log = join(folder, 'log');
  await writeFile(script, SERVER);
  const linesOf = async (path: string) =>
    (await readFile(path, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  return { args: [script, log], lines: () => linesOf(log), starts: () => linesOf(`${log}.starts`) };
}

export const depotName: TargetName = TargetNameSchema.parse('depot');

export async function addDepot(
  services: Services,
  depot: Depot,
  trusted = false,
  args: string[] = [],
) {
  const added = await services.targets.add(depotName, {
    transport: 'stdio',
    command: process.execPath,
    args: [...depot.args, ...args],
    cwd: null,
  });
  await services.targets.confirm(depotName, added.description, trusted);
}

export async function importedCall(services: Services) {
  const [outcome] = await services.imports.importFiles([fileOf('rec.jsonl', smallRecording())]);
  const runId = outcome?.runs[0]?.id;
  if (runId === undefined) throw new Error('no run');
  const step = (await services.store.listSteps(runId)).findLast(({ kind }) => kind === 'tool');
  if (step === undefined) throw new Error('no call');
  return { runId, stepId: step.id };
}

let keys = 0;
export function request(place: Awaited<ReturnType<typeof importedCall>>, change: object = {}) {
  keys += 1;
  return {
    ...place,
    targetName: depotName,
    argumentsText: null,
    tool: null,
    confirmTool: 'find_parcel',
    timeoutMs: 20_000,
    experimentId: null,
    prepared: null,
    idempotencyKey: `key-number-${keys}`,
    ...change,
  };
}

export const sentCalls = async (depot: Depot) =>
  (await depot.lines()).filter((line) => line.includes('"tools/call"'));
