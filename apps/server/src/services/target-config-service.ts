import type {
  ConfigEntry,
  ConfigPicks,
  GivenSecret,
  TargetConfig,
  TargetView,
} from '@misstep/contract';
import {
  describeTargetAddress,
  MisstepError,
  readTargetUrl,
  steersCode,
  type TargetAddress,
  TargetAddressSchema,
  type TargetName,
} from '@misstep/model';
import { checkSecret } from './secrets/check-secret.ts';
import type { AskedInput, FoundServer } from './target-config/find-servers.ts';
import { fillIn, type Placeholder, placeholdersOf } from './target-config/placeholders.ts';
import { type ConfigReading, readConfig } from './target-config/read-config.ts';
import { type NamedValue, type ReadServer, readServer } from './target-config/read-server.ts';
import { suggestName } from './target-config/suggest-name.ts';
import type { TargetService } from './target-service.ts';

/** Servers read from the configuration files of other clients. Their text is hostile. */
export interface TargetConfigService {
  /** CONFIG_UNREADABLE. Nothing is kept or started, and no value comes back. */
  read(text: string): Promise<TargetConfig>;
  /**
   * Keeps the picked entries of the same text, unconfirmed; values go among the secrets. All of
   * them or none. REQUEST_INVALID where a placeholder of a command or URL has no value.
   */
  take(fileName: string, text: string, picks: ConfigPicks): Promise<TargetView[]>;
}

export function createTargetConfigService(targets: TargetService): TargetConfigService {
  return {
    async read(text) {
      const reading = readConfig(text);
      const taken = new Set<string>((await targets.list()).map(({ name }) => name));
      const entries = reading.servers.map((found, index) => {
        const suggestedName = suggestName(found.entry, taken);
        taken.add(suggestedName);
        return entryOf(reading, found, index, suggestedName);
      });
      const issues =
        reading.omitted === 0 ? [] : [`${reading.omitted} more servers are not listed.`];
      return { form: reading.form, entries, issues };
    },
    async take(fileName, text, { picks, values }) {
      const reading = readConfig(text);
      const given = new Map(values.map(({ name, value }) => [name, value]));
      checkNames(picks, new Set((await targets.list()).map(({ name }) => name)));
      const plans = picks.map(({ index, name }) => ({
        name,
        ...planOf(reading, index, given),
      }));
      const added: TargetView[] = [];
      try {
        for (const { name, address, secrets, entry } of plans) {
          const importedFrom = { path: fileName, entry: entry.slice(0, 512) };
          added.push(await targets.add(name, address, { secrets, importedFrom }));
        }
      } catch (error) {
        for (const { name } of added) await targets.remove(name);
        throw error;
      }
      return added;
    },
  };
}

function entryOf(
  reading: ConfigReading,
  found: FoundServer,
  index: number,
  suggestedName: TargetName,
): ConfigEntry {
  const server = readServer(reading.document, found.node);
  const checked = TargetAddressSchema.safeParse(server.address);
  const unusable = checked.success ? urlFault(checked.data) : null;
  const address = checked.success && unusable === null ? checked.data : null;
  const values = server.values.map(({ name, text }) => ({
    name,
    state: stateOfValue({ name, text }, server),
  }));
  const leftOut = values.filter(({ state }) => state === 'leftOut').map(({ name }) => name);
  const refused = values.filter(({ state }) => state === 'refused').map(({ name }) => name);
  return {
    index,
    entry: found.entry,
    list: found.list,
    suggestedName,
    address,
    description: address === null ? null : describeTargetAddress(address),
    environment: server.kind === 'environment' ? values : [],
    headers: server.kind === 'header' ? values : [],
    placeholders: placeholdersIn(server, reading.inputs),
    disabled: server.disabled,
    issues: [
      ...server.issues,
      ...(unusable === null ? [] : [`Its URL can’t be used. ${unusable}`]),
      ...(server.address !== null && !checked.success ? ['It is longer than Misstep takes.'] : []),
      ...(found.isRepeated
        ? ['This key stands in the list more than once; clients use the last.']
        : []),
      ...leftOut.map(
        (name) =>
          `${name} is left out: its value can make the process run other code. Give it yourself if you mean it.`,
      ),
      ...refused.map((name) => `${name} is left out: its name or value can’t be passed on.`),
    ],
  };
}

/** Why nothing can be called by the URL, in a sentence; of one with placeholders, by its beginning. */
function urlFault(address: TargetAddress): string | null {
  if (address.transport === 'stdio') return null;
  const hasPlaceholders = placeholdersOf(address.url, false).length > 0;
  if (hasPlaceholders && (/^https?:/i.test(address.url) || address.url.startsWith('$')))
    return null;
  const url = readTargetUrl(address.url);
  return url.ok ? null : url.error;
}

function stateOfValue(
  { name, text }: NamedValue,
  { kind }: ReadServer,
): ConfigEntry['environment'][number]['state'] {
  if (text === null) return 'refused';
  if (kind === 'environment' && steersCode(name)) return 'leftOut';
  const needed = placeholdersOf(text, true).filter(({ fallback }) => fallback === null);
  return isAccepted({
    kind,
    name,
    value: needed.length === 0 ? fillIn(text, new Map(), true) : null,
  })
    ? needed.length === 0
      ? 'inFile'
      : 'needsValue'
    : 'refused';
}

function isAccepted(secret: GivenSecret): boolean {
  const address: TargetAddress =
    secret.kind === 'environment'
      ? { transport: 'stdio', command: 'any', args: [], cwd: null }
      : { transport: 'streamable-http', url: 'http://127.0.0.1/' };
  try {
    checkSecret(secret, address);
    return true;
  } catch {
    return false;
  }
}

function placeholdersIn(
  { address, values }: ReadServer,
  inputs: ReadonlyMap<string, AskedInput>,
): ConfigEntry['placeholders'] {
  const inAddress = wordsOf(address).flatMap((word) => placeholdersOf(word, false));
  const inValues = values.flatMap(({ text }) => (text === null ? [] : placeholdersOf(text, true)));
  const byName = new Map<string, Placeholder>();
  for (const each of [...inAddress, ...inValues]) byName.set(each.name, each);
  return [...byName.values()].map(({ name, fallback }) => ({
    name,
    label: inputs.get(name)?.label ?? null,
    isPassword: inputs.get(name)?.isPassword ?? false,
    hasDefault: fallback !== null,
    isNeeded: inAddress.some((each) => each.name === name && each.fallback === null),
  }));
}

function planOf(
  reading: ConfigReading,
  index: number,
  given: ReadonlyMap<string, string>,
): { entry: string; address: TargetAddress; secrets: GivenSecret[] } {
  const found = reading.servers[index];
  if (found === undefined) throw invalid(`picks: there is no entry ${index}.`);
  const { entry } = found;
  const server = readServer(reading.document, found.node);
  if (server.address === null)
    throw invalid(`${entry}: ${server.issues[0] ?? 'it can’t be used.'}`);
  const missing: string[] = [];
  const fill = (word: string): string => {
    const filled = fillIn(word, given, false);
    if (filled === null) missing.push(...namesWithout(word, given));
    return filled ?? word;
  };
  const filled =
    server.address.transport === 'stdio'
      ? {
          ...server.address,
          command: fill(server.address.command),
          args: server.address.args.map(fill),
          cwd: server.address.cwd === null ? null : fill(server.address.cwd),
        }
      : { ...server.address, url: fill(server.address.url) };
  if (missing.length > 0) {
    throw invalid(
      `${entry}: its command or URL needs a value for ${[...new Set(missing)].join(', ')}.`,
    );
  }
  const address = TargetAddressSchema.safeParse(filled);
  if (!address.success) throw invalid(`${entry}: its command or URL is longer than Misstep takes.`);
  const fault = urlFault(address.data);
  if (fault !== null) throw invalid(`${entry}: its URL can’t be used. ${fault}`);
  const secrets = server.values.flatMap((each): GivenSecret[] => {
    const state = stateOfValue(each, server);
    if (each.text === null || state === 'leftOut' || state === 'refused') return [];
    return [{ kind: server.kind, name: each.name, value: fillIn(each.text, given, true) }];
  });
  return { entry, address: address.data, secrets };
}

function namesWithout(word: string, given: ReadonlyMap<string, string>): string[] {
  return placeholdersOf(word, false)
    .filter(({ name, fallback }) => fallback === null && !given.has(name))
    .map(({ name }) => name);
}

function wordsOf(address: TargetAddress | null): string[] {
  if (address === null) return [];
  if (address.transport !== 'stdio') return [address.url];
  return [address.command, ...address.args, ...(address.cwd === null ? [] : [address.cwd])];
}

function checkNames(picks: ConfigPicks['picks'], taken: ReadonlySet<string>): void {
  const seen = new Set(taken);
  for (const { name } of picks) {
    if (taken.has(name)) {
      throw new MisstepError('TARGET_EXISTS', `A target named "${name}" exists already.`);
    }
    if (seen.has(name)) throw invalid(`picks: two entries would be named "${name}".`);
    seen.add(name);
  }
}

function invalid(message: string): MisstepError {
  return new MisstepError('REQUEST_INVALID', message, { field: 'picks' });
}
