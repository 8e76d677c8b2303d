import { compareDefinitions } from './drift.ts';
import type { DriftEffect } from './drift-place.ts';

/** A server's whole list of tools against the recorded one. */
export interface ToolListDrift {
  readonly recordedCount: number;
  readonly liveCount: number;
  /** Tools that only the live list has. */
  readonly added: readonly string[];
  /** Tools that only the recording has. */
  readonly removed: readonly string[];
  /** Tools of which something changed that a validator, a model or a policy notices. */
  readonly changed: readonly { readonly name: string; readonly effects: readonly DriftEffect[] }[];
  readonly sentence: string;
}

interface NamedDefinition {
  readonly name: string;
  readonly definitionText: string;
}

/** Other bytes that mean the same are no change. Of tools of one name the last one counts. Total. */
export function compareToolLists(
  recorded: readonly NamedDefinition[],
  live: readonly NamedDefinition[],
): ToolListDrift {
  const before = new Map(recorded.map(({ name, definitionText }) => [name, definitionText]));
  const after = new Map(live.map(({ name, definitionText }) => [name, definitionText]));
  const changed: { name: string; effects: DriftEffect[] }[] = [];
  for (const [name, text] of after) {
    const was = before.get(name);
    if (was === undefined) continue;
    const { state, changes } = compareDefinitions(was, text);
    if (state !== 'changed') continue;
    changed.push({ name, effects: [...new Set(changes.map(({ effect }) => effect))] });
  }
  const drift = {
    recordedCount: before.size,
    liveCount: after.size,
    added: [...after.keys()].filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !after.has(name)),
    changed,
  };
  return { ...drift, sentence: sentenceOf(drift) };
}

function sentenceOf(drift: Omit<ToolListDrift, 'sentence'>): string {
  const { recordedCount, added, removed, changed } = drift;
  const parts = [
    changed.length === 0 ? null : `${changed.length} of ${tools(recordedCount)} changed`,
    added.length === 0 ? null : `${tools(added.length)} added`,
    removed.length === 0 ? null : `${removed.length} gone`,
  ].filter((part) => part !== null);
  return parts.length === 0
    ? `Tools list as recorded: ${tools(recordedCount)}.`
    : `Tools list differs from the recording: ${parts.join(', ')}.`;
}

function tools(count: number): string {
  return `${count} ${count === 1 ? 'tool' : 'tools'}`;
}
