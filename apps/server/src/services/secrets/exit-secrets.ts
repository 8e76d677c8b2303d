import { open } from 'node:fs/promises';
import { type KnownSecret, knownSecrets } from '@misstep/mcp';
import { isMisstepError, type KeptPlaces, type TargetName } from '@misstep/model';
import { type ExitSecrets, LEFT_OUT, type LogPlaces, valuesAtPlaces } from '@misstep/replay';
import type { Store, StoredExperiment, StoredReplay } from '@misstep/store';
import type { SecretService } from '../secret-service.ts';

/**
 * What may not leave this machine with a file, a copy or an answer: the one place that every way
 * out asks. It knows the values that are kept now and those that stand where they stood when a
 * replay was captured, though nobody knows them any more.
 */
export interface ExitService {
  ofReplay(replay: StoredReplay): Promise<ExitSecrets>;
  /** With those of all the replays that its calls were. */
  ofExperiment(experiment: StoredExperiment): Promise<ExitSecrets>;
  /** Of what was made of no replay: the values that are kept now. */
  ofTarget(name: TargetName): Promise<ExitSecrets>;
}

/** What stands at noted places, and why that may not be all. */
interface Noted {
  readonly values: readonly KnownSecret[];
  readonly log: LogPlaces | null;
  readonly problem: 'earlier' | 'unended' | 'changed' | null;
}

export function createExitService(
  store: Store,
  secrets: Pick<SecretService, 'keptOf'>,
): ExitService {
  const together = async (
    name: TargetName,
    [own, ...others]: readonly [Noted, ...Noted[]],
  ): Promise<ExitSecrets> => {
    const kept = await secrets.keptOf(name);
    const all = [own, ...others];
    const problem = all.find((each) => each.problem !== null)?.problem ?? null;
    return {
      inLog: { values: kept, places: own.log },
      // Those of the capture first: the same value has the same mask, whatever it is kept as now.
      inTexts: [...all.flatMap(({ values }) => values), ...knownSecrets(kept)],
      notChecked: problem === null ? null : notChecked(name, problem),
    };
  };
  const ofReplay = ({ secretPlaces, frameLogPath, argumentsText, receiptText }: StoredReplay) =>
    readNoted(secretPlaces, frameLogPath, { argumentsText, receiptText: receiptText ?? '' });
  const ofSend = async (replayId: StoredReplay['id']): Promise<Noted[]> => {
    try {
      return [await ofReplay(await store.getReplay(replayId))];
    } catch (error) {
      // Nothing was sent, and nothing is kept of it.
      if (isMisstepError(error) && error.code === 'REPLAY_NOT_FOUND') return [];
      throw error;
    }
  };
  return {
    ofReplay: async (replay) => together(replay.targetName, [await ofReplay(replay)]),
    async ofExperiment({ targetName, sends, secretPlaces, frameLogPath, plan }) {
      const own = await readNoted(secretPlaces, frameLogPath, { plan: JSON.stringify(plan) });
      const replayIds = new Set(sends.flatMap(({ replayId }) => replayId ?? []));
      const others: Noted[] = [];
      for (const replayId of replayIds) others.push(...(await ofSend(replayId)));
      return together(targetName, [own, ...others]);
    },
    ofTarget: (name) => together(name, [{ values: [], log: null, problem: null }]),
  };
}

async function readNoted(
  kept: KeptPlaces | null,
  frameLogPath: string,
  texts: Readonly<Record<string, string>>,
): Promise<Noted> {
  if (kept === null) return { values: [], log: null, problem: 'earlier' };
  const inTexts = Object.entries(texts).flatMap(([name, text]) => {
    const places = Object.hasOwn(kept.texts, name) ? kept.texts[name] : undefined;
    return places === undefined
      ? []
      : valuesAtPlaces(places, (offset, length) => text.slice(offset, offset + length));
  });
  const inLog = await readLogValues(kept.log, frameLogPath);
  // What merely looks like a secret of the address is left out by another rule.
  const values = [...inTexts, ...(inLog ?? [])].filter(({ mask }) => mask !== LEFT_OUT);
  if (kept.log === null) return { values, log: null, problem: 'unended' };
  if (inLog === null) return { values, log: null, problem: 'changed' };
  return { values, log: kept.log, problem: null };
}

/** Null where the log is not the one in which the places were found. */
async function readLogValues(log: KeptPlaces['log'], path: string): Promise<KnownSecret[] | null> {
  if (log === null || log.places.length === 0) return [];
  const file = await open(path).catch(() => null);
  if (file === null) return null;
  try {
    if ((await file.stat()).size !== log.sizeBytes) return null;
    const texts = new Map<number, string>();
    for (const [offset, length] of log.places) {
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, offset);
      texts.set(offset, buffer.toString('utf8'));
    }
    return valuesAtPlaces(log, (offset) => texts.get(offset) ?? '');
  } finally {
    await file.close();
  }
}

function notChecked(name: TargetName, problem: NonNullable<Noted['problem']>): string {
  const why = {
    earlier: 'it was captured before Misstep noted where they stand',
    unended: 'it was broken off before Misstep had noted where they stand',
    changed: 'its frame log is not the one in which Misstep noted where they stand',
  }[problem];
  return `Not checked for secrets that ${name} had then and has no more: ${why}. Read it before you give it away.`;
}
