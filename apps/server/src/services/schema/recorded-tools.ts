import { decodeUtf8 } from '@misstep/json';
import type { RunId } from '@misstep/model';
import type { Store, ToolToSave } from '@misstep/store';
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
  for (const tool of counted) {
    const bytes = await definitionBytes(values, tool);
    if (bytes !== null) tools.push({ name: tool.name, definitionText: decodeUtf8(bytes).text });
  }
  return tools;
}

/** A definition's bytes: those of the source, or of the text that a string in it held; null where only the name is recorded. */
export async function definitionBytes(
  values: ValueReader,
  { definition, definitionText, isNameOnly }: ToolToSave,
): Promise<Uint8Array | null> {
  if (isNameOnly === true) return null;
  return definitionText === undefined
    ? values.bytesOf(definition)
    : new TextEncoder().encode(definitionText);
}
