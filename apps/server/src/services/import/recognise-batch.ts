import { type SideFile, sideFileOf } from '@misstep/importers';
import { MisstepError } from '@misstep/model';
import type { Store, StoredSource } from '@misstep/store';
import { explainError } from '../../errors/explain-error.ts';
import { UnpackBudget } from './container/budget.ts';
import { expandSource, type Leaf } from './container/expand-sources.ts';
import { barrenError, type GivenFiles } from './container/given-files.ts';
import {
  headBesideLog,
  joinLog,
  logsAmong,
  loneLogError,
  type PlacedLeaf,
} from './database-log.ts';
import { asideOutcome, failedOutcome } from './outcome.ts';
import type { BatchOptions } from './read-batch.ts';
import { headOf, type RecognisedSource, recogniseSource } from './recognise-source.ts';

/** Every given file, or all in it that is a recording. */
export async function recogniseAll(
  store: Store,
  received: readonly { readonly path: string; readonly source: StoredSource }[],
  gathered: GivenFiles,
  options: BatchOptions,
): Promise<RecognisedSource[]> {
  const { format, signal, onUnpacked, onOutcome } = options;
  const leaves: (PlacedLeaf & { readonly isPacked: boolean })[] = [];
  options.onPhase?.('recognising', 0);
  for (const { path, source } of received) {
    signal.throwIfAborted();
    try {
      const budget = new UnpackBudget(path, source.sizeBytes);
      for (const leaf of await expandSource(source, {
        store,
        signal,
        budget,
        onSource: onUnpacked,
      })) {
        const inside = leaf.holders.map(({ partName }) => partName).reverse();
        const leafPath = [path, ...inside].join('/');
        const isPacked = leaf.holders.length > 0 || leaf.barren !== null;
        if (isPacked) gathered.expect({ path, source }, leafPath);
        leaves.push({ path: leafPath, leaf, isPacked });
      }
    } catch (error) {
      signal.throwIfAborted();
      onOutcome(failedOutcome(path, source, explainError(error), format));
    }
  }
  const logs = await logsAmong(store, leaves);
  const joined = new Set<PlacedLeaf>();
  const recognised: RecognisedSource[] = [];
  const isLog = new Set(logs.values());
  let looked = 0;
  // A log after its database, which says whether it takes it.
  for (const each of [...leaves].sort((a, b) => Number(isLog.has(a)) - Number(isLog.has(b)))) {
    signal.throwIfAborted();
    // In an archive there may be many, of one file that was given.
    options.onPhase?.('recognising', Math.floor((looked / leaves.length) * received.length));
    looked += 1;
    const { path, leaf, isPacked } = each;
    if (joined.has(each)) continue;
    try {
      if (leaf.barren !== null) throw barrenError(path, leaf.barren);
      if (isLog.has(each)) throw loneLogError(path);
      const side = format === null ? await sideFile(store, path, leaf) : null;
      if (side !== null) {
        gathered.take(asideOutcome(path, leaf.source, side));
        continue;
      }
      const log = logs.get(path);
      const head = await headBesideLog(store, each, log);
      const found = await recogniseSource(store, path, leaf, format, head);
      const broken = format === null ? brokenJson(found) : null;
      if (broken !== null) {
        const error = new MisstepError('IMPORT_UNREADABLE', `${path} can't be read: ${broken}.`);
        gathered.leave(path, leaf, error, broken);
        continue;
      }
      const members = log === undefined ? [found] : joinLog(found, log);
      if (members.length > 1 && log !== undefined) joined.add(log);
      for (const member of members) gathered.hold(member);
      recognised.push(...members);
    } catch (error) {
      signal.throwIfAborted();
      if (isPacked) gathered.leave(path, leaf, explainError(error));
      else onOutcome(failedOutcome(path, leaf.source, explainError(error), format));
    }
  }
  return recognised;
}

/**
 * An entry of an archive that its name calls JSON is no text that a person pasted; null where it is
 * read as something else. A file that is given by itself may be what its name doesn't say.
 */
function brokenJson({ importer, leaf }: RecognisedSource): string | null {
  const [holder] = leaf.holders;
  const isEntry = holder !== undefined && holder.unpacked.records.total > 0;
  if (!isEntry || importer.id !== 'plain-text') return null;
  return /\.(?:json|jsonl|ndjson)$/i.test(holder.partName)
    ? 'it is named as JSON, and is none or cut'
    : null;
}

/** Names are looked at first: of most files nothing has to be read for it. */
async function sideFile(store: Store, path: string, { source }: Leaf): Promise<SideFile | null> {
  if (!/\.(?:jsonl?|txt|md)$/i.test(path) || source.sizeBytes === 0) return null;
  return sideFileOf(path, await headOf(store, source));
}
