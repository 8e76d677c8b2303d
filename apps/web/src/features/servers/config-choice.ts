import type { ConfigEntry, TargetConfig } from '@misstep/contract';
import { TargetNameSchema } from '@misstep/model';

/** What the person chose of a configuration: entries with their names, values for placeholders. */
export interface ConfigChoice {
  readonly names: ReadonlyMap<number, string>;
  readonly picked: ReadonlySet<number>;
  readonly values: ReadonlyMap<string, string>;
}

export const NO_CHOICE: ConfigChoice = { names: new Map(), picked: new Set(), values: new Map() };

export function nameOf({ index, suggestedName }: ConfigEntry, choice: ConfigChoice): string {
  return choice.names.get(index) ?? suggestedName;
}

/** Placeholders of the picked entries, each once; what a command can't do without comes first. */
export function askedPlaceholders(
  { entries }: TargetConfig,
  { picked }: ConfigChoice,
): ConfigEntry['placeholders'] {
  const all = entries
    .filter(({ index }) => picked.has(index))
    .flatMap(({ placeholders }) => placeholders);
  const byName = new Map<string, (typeof all)[number]>();
  for (const each of all) {
    const before = byName.get(each.name);
    byName.set(each.name, { ...each, isNeeded: each.isNeeded || before?.isNeeded === true });
  }
  return [...byName.values()].sort((a, b) => Number(b.isNeeded) - Number(a.isNeeded));
}

/** What stands in the way of keeping the choice; null = nothing. */
export function choiceProblem(
  config: TargetConfig,
  choice: ConfigChoice,
  taken: readonly string[],
): string | null {
  const picked = config.entries.filter(({ index }) => choice.picked.has(index));
  if (picked.length === 0) return 'Choose the servers to keep.';
  const seen = new Set(taken);
  for (const entry of picked) {
    const name = nameOf(entry, choice);
    if (!TargetNameSchema.safeParse(name).success) return `"${name}" is no name for a server.`;
    if (seen.has(name)) return `There is a server "${name}" already: give this one another name.`;
    seen.add(name);
  }
  const lacking = askedPlaceholders(config, choice).find(
    ({ name, isNeeded }) => isNeeded && (choice.values.get(name) ?? '') === '',
  );
  return lacking === undefined ? null : `The command or URL needs a value for ${lacking.name}.`;
}

/** What is sent to keep the choice. */
export function readChoice(config: TargetConfig, choice: ConfigChoice) {
  return {
    picks: config.entries
      .filter(({ index }) => choice.picked.has(index))
      .map((entry) => ({ index: entry.index, name: nameOf(entry, choice) })),
    values: [...choice.values]
      .filter(([, value]) => value !== '')
      .map(([name, value]) => ({ name, value })),
  };
}
