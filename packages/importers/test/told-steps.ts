import { chooseFormat, makeSourceHead } from '../src/index.ts';
import { readValue } from './invariants.ts';
import { sourceOfText } from './support.ts';

/** Model calls with what they say, and calls with their arguments, run by run. */
export async function readTold(text: string) {
  const main = sourceOfText(text);
  const { importer } = chooseFormat(await makeSourceHead(main));
  const result = await importer?.read({ main, companions: [] });
  const runs = [];
  for (const run of result?.runs ?? []) {
    const told = [];
    for (const { kind, callId, arguments: given, content, usage, status } of run.steps) {
      if (kind === 'tool') told.push([callId, given && (await readValue(given, [main]))]);
      else {
        const parts = [];
        for (const part of content) parts.push([part.kind, await readValue(part.value, [main])]);
        told.push({ kind, parts, status, tokens: [usage?.inputTokens, usage?.outputTokens] });
      }
    }
    runs.push(told);
  }
  return { format: importer?.id, runs, result, records: result?.sources[0]?.records };
}
