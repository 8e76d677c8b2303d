import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostileStdioCommand, startHostileHttp } from '@misstep/testkit';
import { misstep } from './support.ts';

/** The tool as it was recorded; a server that is not at fault in its list gives the same. */
const ECHO = {
  name: 'echo',
  description: 'Gives back what it was given.',
  inputSchema: { type: 'object', properties: { shelf: { type: 'string' } } },
  annotations: { readOnlyHint: true },
};

/** A recorded call of `echo` on the wire, with the list of tools before it. */
function recording(): string {
  const line = (dir: string, ms: number, message: object) =>
    `${JSON.stringify({ ts: new Date(Date.UTC(2026, 0, 5, 10, 0, 0, ms)).toISOString(), dir, msg: { jsonrpc: '2.0', ...message } })}\n`;
  const args = { shelf: 'A-7' };
  const result = {
    content: [{ type: 'text', text: JSON.stringify(args) }],
    structuredContent: { received: args },
  };
  return [
    line('send', 0, { id: 1, method: 'tools/list' }),
    line('recv', 10, { id: 1, result: { tools: [ECHO] } }),
    line('send', 100, { id: 2, method: 'tools/call', params: { name: 'echo', arguments: args } }),
    line('recv', 200, { id: 2, result }),
  ].join('');
}

export interface CaseRun {
  readonly dataFolder: string;
  readonly runId: string;
  /** The recorded call's number. */
  readonly step: string;
  remove(): Promise<void>;
}

/** A data folder that holds the recorded call; any number of targets can be added to it. */
export async function openCaseRun(): Promise<CaseRun> {
  const folder = await mkdtemp(join(tmpdir(), 'misstep-cases-'));
  const dataFolder = join(folder, 'data');
  const path = join(folder, 'echo.jsonl');
  await writeFile(path, recording());
  const imported = await misstep(dataFolder, ['import', '--json', path]);
  // What the command prints is documented in docs/cli.md.
  const runs = imported.documents()[0]?.runs as { id: string }[] | undefined;
  const runId = runs?.[0]?.id ?? '';
  const steps = (await misstep(dataFolder, ['show', runId, '--json'])).documents();
  const step = String(steps.find(({ tool }) => tool === 'echo')?.seq);
  return {
    dataFolder,
    runId,
    step,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

export interface AddedTarget {
  readonly name: string;
  stop(): Promise<void>;
}

/** The case's server as a confirmed target; over HTTP it runs until it is stopped. */
export async function addCaseTarget(
  { dataFolder }: CaseRun,
  behaviour: string,
  transport: 'stdio' | 'streamable-http',
  given: {
    readonly secrets?: string;
    readonly environment?: Record<string, string>;
    readonly words?: readonly string[];
  } = {},
): Promise<AddedTarget> {
  const name = `${behaviour}-${transport === 'stdio' ? 'stdio' : 'http'}`;
  const secrets = given.secrets === undefined ? [] : ['--secrets-stdin'];
  const add = ['target', 'add', name, '--yes', ...secrets, ...(given.words ?? [])];
  if (transport === 'stdio') {
    const { command, args } = hostileStdioCommand(behaviour);
    await misstep(dataFolder, [...add, '--', command, ...args], given.secrets);
    return { name, stop: async () => undefined };
  }
  const server = await startHostileHttp(behaviour, undefined, given.environment);
  await misstep(dataFolder, [...add, '--url', server.url], given.secrets);
  return { name, stop: () => server.stop() };
}
