import { decodeUtf8 } from '@misstep/json';
import type { RunId } from '@misstep/model';
import type { Store } from '@misstep/store';
import type { ValueReader } from '../value-reader.ts';

/**
 * The tools that the recording lists for one server, with their exact definitions. Where the step
 * names no server, they count only if all of them are of one; empty where that can't be known.
 */
export async function readRecordedTools(
  store: Store,
  values: ValueReader,
  runId: RunId,
  server: string | null,
): Promise<{ name: string; definitionText: string }[]> {
  const all = await store.listTools(runId);
  const own = all.filter((each) => each.server === server);
  const servers = new Set(all.map((each) => each.server));
  const counted = own.length > 0 ? own : servers.size === 1 ? all : [];
  const tools: { name: string; definitionText: string }[] = [];
  for (const { name, definition } of counted) {
    tools.push({ name, definitionText: decodeUtf8(await values.bytesOf(definition)).text });
  }
  return tools;
}
