import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lineServer } from '@misstep/testkit';
import { expect } from 'vitest';
import { makeFolder, misstep, recordingOf } from './support.ts';

/** Gives back the very bytes of the arguments that came. */
const ECHO =
  "JSON.stringify({ content: [{ type: 'text', text: line.slice(line.indexOf('\"arguments\":') + 12) }] })";
const FIND_PARCEL = '{"tools":[{"name":"find_parcel","inputSchema":{"type":"object"}}]}';

/**
 * A stdio server as the text of a script: `toolList` is the exact text of its tools/list result,
 * `callAnswer` a JavaScript expression for the text of a call's, which may look at `line`.
 */
export function depotServer(toolList: string = FIND_PARCEL, callAnswer: string = ECHO): string {
  return lineServer(`    const answer = (result) => process.stdout.write('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"result":' + result + '}\\n');
    if (method === 'server/discover') process.stdout.write('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"error":{"code":-32601,"message":"no such method"}}\\n');
    if (method === 'initialize') answer(JSON.stringify({ protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: 'depot', version: '9' } }));
    if (method === 'tools/list') answer(${JSON.stringify(toolList)});
    if (method === 'tools/call') answer(${callAnswer});`);
}

/** A data folder with a run of `find_parcel` calls and the confirmed target `depot`, which echoes. */
export async function depotRun(calls: readonly string[], serverText: string = depotServer()) {
  const folder = await makeFolder();
  const dataFolder = join(folder, 'data');
  const path = join(folder, 'rec.jsonl');
  const script = join(folder, 'server.cjs');
  await writeFile(script, serverText);
  const result = '{"content":[{"type":"text","text":"{\\"count\\":1}"}]}';
  await writeFile(path, recordingOf(calls.map((args) => ({ args, result }))));
  const imported = await misstep(dataFolder, ['import', '--json', path]);
  const runs = imported.documents()[0]?.runs as { id: string }[];
  const words = ['target', 'add', 'depot', '--yes', '--', process.execPath, script];
  expect((await misstep(dataFolder, words)).exitCode).toBe(0);
  return { folder, dataFolder, runId: runs[0]?.id ?? '' };
}
