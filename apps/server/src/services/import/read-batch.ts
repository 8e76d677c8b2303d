import { oneLine } from '@misstep/importers';
import { isMisstepError, NO_RECORDS, type Run, type SourceHash } from '@misstep/model';
import type {
  FramePieces,
  RunToSave,
  StepPieces,
  Store,
  StoredRunDetail,
  StoredSource,
} from '@misstep/store';
import { explainError } from '../../errors/explain-error.ts';
import type { ReadResult } from '../../jobs/import-message.ts';
import type { ImporterThread } from '../../jobs/importer-thread.ts';
import { type ContainerReading, GivenFiles, holdersOf } from './container/given-files.ts';
import { findGrownSource } from './grown-source.ts';
import { headOfOutcome, knownOutcome } from './known-outcome.ts';
import { planAnew } from './late-relatives.ts';
import { findLineage, lookUp } from './lineage.ts';
import { isNoRoom } from './no-room.ts';
import { nothingRead } from './nothing-read.ts';
import { failedOutcome, importedRun, type SourceOutcome, shownIssues } from './outcome.ts';
import { findPartRuns, partKept } from './part-runs.ts';
import { findSameRead, type PlannedRead, planReads } from './plan-reads.ts';
import { recogniseAll } from './recognise-batch.ts';
import { runIdOf } from './run-id.ts';

export interface ReadProgress {
  readonly readBytes: number;
  readonly records: number;
  readonly steps: number;
}

export interface BatchOptions {
  /** Overrules the recognition; null = by content. */
  readonly format: string | null;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ReadProgress) => void;
  /** As soon as it is known what became of a source. */
  readonly onOutcome: (outcome: SourceOutcome) => void;
  /** A source that was unpacked from another; to be given up with those that were received. */
  readonly onUnpacked: (source: StoredSource) => void;
  /** A source that the disk has no room for and that nothing else of the batch needs. */
  readonly onNoRoom: (source: StoredSource) => Promise<void>;
  /** What begins now; `recognised` counts the given files whose format was looked for. */
  readonly onPhase?: (phase: 'recognising' | 'reading' | 'saving', recognised: number) => void;
}

/**
 * Reads sources that are stored already and saves their runs. One source's failure leaves the
 * others alone; only an aborted signal ends the whole (throws its reason). `thread` is one that goes on
 * to the next batch: what it has learned of a format's code is worth more than reading small files.
 */
export async function readBatch(
  store: Store,
  received: readonly { readonly path: string; readonly source: StoredSource }[],
  options: BatchOptions,
  thread: ImporterThread,
): Promise<void> {
  const gathered = new GivenFiles(options.onOutcome);
  const recognised = await recogniseAll(store, received, gathered, options);
  const plans = planReads(store, recognised);
  const isShared = ({ main }: PlannedRead): boolean =>
    recognised.filter(({ source }) => source.sha256 === main.sha256).length > 1;
  const onOutcome = (outcome: SourceOutcome) => gathered.take(outcome);
  const onPhase = (phase: 'reading' | 'saving') => options.onPhase?.(phase, received.length);
  try {
    await readPlans({ store, thread, gathered, onPhase, isShared }, plans, {
      ...options,
      onOutcome,
    });
  } catch (error) {
    gathered.finishCancelled();
    throw error;
  }
  gathered.finish();
}

/** What the reads of a batch share. */
interface Batch {
  readonly store: Store;
  readonly thread: ImporterThread;
  readonly gathered: GivenFiles;
  readonly onPhase: (phase: 'reading' | 'saving') => void;
  /** True where several files of the batch have these bytes. */
  readonly isShared: (plan: PlannedRead) => boolean;
}

/** Below it is no use to give a source back at once. */
const LARGE_BYTES = 1024 * 1024;

async function readPlans(
  batch: Batch,
  plans: AsyncIterable<PlannedRead>,
  options: BatchOptions,
): Promise<void> {
  let done: ReadProgress = { readBytes: 0, records: 0, steps: 0 };
  const crowdedOut: PlannedRead[] = [];
  for await (const plan of plans) await readOne(plan, false);
  // What was too large has given back its room by now.
  for (const plan of crowdedOut) await readOne(plan, true);

  async function readOne(plan: PlannedRead, isAgain: boolean): Promise<void> {
    options.signal.throwIfAborted();
    let latest: ReadProgress = { readBytes: 0, records: 0, steps: 0 };
    const before = done;
    const onProgress = (progress: ReadProgress) => {
      latest = progress;
      options.onProgress({
        readBytes: before.readBytes + progress.readBytes,
        records: before.records + progress.records,
        steps: before.steps + progress.steps,
      });
    };
    try {
      const outcomes = await readPlanned(batch, plan, options.signal, onProgress);
      for (const outcome of outcomes) options.onOutcome(outcome);
      latest = {
        readBytes: sizeOf(plan),
        records: outcomes.reduce((sum, { records }) => sum + records.total, 0),
        steps: outcomes[0]?.runs.reduce((sum, { steps }) => sum + steps, 0) ?? 0,
      };
    } catch (error) {
      options.signal.throwIfAborted();
      const isLarge = plan.main.sizeBytes >= LARGE_BYTES;
      if (isNoRoom(error) && !isLarge && !isAgain) {
        crowdedOut.push(plan);
        return;
      }
      for (const { path, source, importer } of plan.members) {
        options.onOutcome(failedOutcome(path, source, explainError(error), importer.id));
      }
      if (isNoRoom(error) && isLarge && !batch.isShared(plan)) await options.onNoRoom(plan.main);
    }
    done = {
      readBytes: before.readBytes + sizeOf(plan),
      records: before.records + latest.records,
      steps: before.steps + latest.steps,
    };
    options.onProgress(done);
  }
}

function sizeOf({ main, companions }: PlannedRead): number {
  return companions.reduce((sum, { source }) => sum + source.sizeBytes, main.sizeBytes);
}

async function readPlanned(
  batch: Batch,
  plan: PlannedRead,
  signal: AbortSignal,
  onProgress: (progress: ReadProgress) => void,
  isAnew = false,
): Promise<SourceOutcome[]> {
  const { store, thread, gathered, onPhase } = batch;
  onPhase('reading');
  const found = await lookUp(store, plan.main, plan.importer.id);
  const known = await findSameRead(store, plan, found);
  if (known !== null)
    return Promise.all(plan.members.map((each) => knownOutcome(store, each, known)));
  // An earlier copy of a recording that is here as it grew later: that one stands for it.
  const grown = await findGrownSource(store, plan.main, found);
  if (grown !== null) return readPlanned(batch, withMain(plan, grown), signal, onProgress, isAnew);
  let read = { readBytes: 0, records: 0, steps: 0 };
  const result = await thread.read(plan, {
    signal,
    onProgress: (progress) => {
      read = progress;
      onProgress(progress);
    },
  });
  const plans = isAnew ? null : await planAnew(store, plan, result);
  if (plans !== null) {
    const outcomes: SourceOutcome[] = [];
    for (const each of plans) {
      outcomes.push(...(await readPlanned(batch, each, signal, onProgress, true)));
    }
    return outcomes;
  }
  // What follows takes its time too, and is not reading.
  onProgress({ ...read, readBytes: sizeOf(plan) });
  onPhase('saving');
  if (result.runs.length === 0)
    return plan.members.map((member) =>
      nothingRead(member, result, recordsOf(result, member.source.sha256)),
    );
  const lineage = await findLineage(store, plan.main, plan.importer.id, found);
  const lineages = await lineagesOf(store, plan, result.runs);
  const runs = result.runs.map((draft, index) => ({
    texts: draft.endText,
    ...toRun(
      plan,
      draft,
      runIdOf(plan.importer.id, lineages.get(draft.knownBy) ?? lineage, draft.key),
      {
        steps: () => thread.steps(index, signal),
        frames: () => thread.frames(index, signal),
      },
    ),
  }));
  const newer = await findNewerVersion(store, plan.main, runs);
  if (newer !== null) {
    return Promise.all(plan.members.map((each) => knownOutcome(store, each, [newer])));
  }
  const containers = gathered.readingsOf(plan.members, plan.importer.id);
  const parts = await findPartRuns(store, plan, runs);
  const issues = [...result.issues, ...parts.used.map(partKept)];
  await saveRuns(store, plan, { ...result, issues }, runs, lineage, containers);
  gathered.noteSaved(containers, plan.importer.id);
  for (const id of parts.unused) await store.deleteRun(id);
  return plan.members.map((member) => ({
    ...headOfOutcome(member),
    alreadyImported: false,
    runs: runs.map(({ run, texts }) => importedRun(run, texts)),
    records: recordsOf(result, member.source.sha256),
    issues: shownIssues(issues, member.source.sha256),
    error: null,
  }));
}

/** Of sources beside the main one by which runs are known: they were here first with these runs. */
async function lineagesOf(
  store: Store,
  { main, companions, importer }: PlannedRead,
  runs: ReadResult['runs'],
): Promise<ReadonlyMap<SourceHash | undefined, SourceHash>> {
  const lineages = new Map<SourceHash | undefined, SourceHash>();
  for (const { knownBy } of runs) {
    if (knownBy === undefined || knownBy === main.sha256 || lineages.has(knownBy)) continue;
    const source = companions.find((each) => each.source.sha256 === knownBy)?.source;
    if (source !== undefined) lineages.set(knownBy, await findLineage(store, source, importer.id));
  }
  return lineages;
}

function withMain(plan: PlannedRead, main: StoredSource): PlannedRead {
  const order = plan.order.map((sha256) => (sha256 === plan.main.sha256 ? main.sha256 : sha256));
  return { ...plan, main, order };
}

function readOf(result: ReadResult, sha256: string): ReadResult['sources'][number] | undefined {
  return result.sources.find((source) => source.sha256 === sha256);
}

function recordsOf(result: ReadResult, sha256: string): SourceOutcome['records'] {
  const records = readOf(result, sha256)?.records;
  return records ?? NO_RECORDS;
}

function toRun(
  plan: PlannedRead,
  draft: ReadResult['runs'][number],
  id: Run['id'],
  pieces: { steps: StepPieces['pieces']; frames: FramePieces['pieces'] },
): RunToSave {
  const { title, client, model, naturalId, clock, tools, totals, startedAtText } = draft;
  const { externalMarks = [], recordedCostUsd = null } = draft;
  return {
    run: {
      id,
      // A file's name may hold line breaks, and some titles are made of it.
      title: oneLine(title) || plan.importer.title,
      format: plan.importer.id,
      client,
      model,
      naturalId,
      clock,
      ...totals,
      recordedCostUsd,
    },
    steps: { startedAtText, pieces: pieces.steps },
    frames: { pieces: pieces.frames },
    tools,
    externalMarks,
    sources: [
      { sha256: plan.main.sha256, role: 'main', part: null },
      ...plan.companions.map(({ source, group }) => ({
        sha256: source.sha256,
        role: 'companion' as const,
        part: group.part,
      })),
      ...holdersOf(plan.members).map(({ container, partName }) => ({
        sha256: container.sha256,
        role: 'container' as const,
        part: partName,
      })),
    ],
  };
}

async function saveRuns(
  store: Store,
  plan: PlannedRead,
  result: ReadResult,
  runs: readonly RunToSave[],
  mainLineage: SourceHash,
  containers: readonly ContainerReading[],
): Promise<void> {
  const sources = [plan.main, ...plan.companions.map(({ source }) => source)];
  await store.saveImport({
    format: plan.importer.id,
    formatRevision: plan.importer.revision,
    runs,
    sources: [
      ...(await Promise.all(
        sources.map(async (source) => {
          const read = readOf(result, source.sha256);
          return {
            sha256: source.sha256,
            records: read?.records ?? NO_RECORDS,
            unused: read?.unused ?? [],
            unlisted: read?.unlisted ?? [],
            links: plan.links.get(source.sha256) ?? [],
            ...(read?.numbers === undefined ? {} : { numbers: read.numbers }),
            lineage:
              source === plan.main
                ? mainLineage
                : await findLineage(store, source, plan.importer.id),
          };
        }),
      )),
      ...containers.map(({ sha256, records, unused, isSaved }) => ({
        sha256,
        records,
        unused,
        unlisted: [],
        lineage: sha256,
        isSaved,
      })),
    ],
    issues: [...result.issues, ...containers.flatMap(({ issues }) => issues)],
  });
}

async function findRun(store: Store, runId: Run['id']): Promise<StoredRunDetail | null> {
  try {
    return await store.getRun(runId);
  } catch (error) {
    if (isMisstepError(error) && error.code === 'RUN_NOT_FOUND') return null;
    throw error;
  }
}

/** The run that was read from a grown version of this source: an older copy must not undo it. */
async function findNewerVersion(
  store: Store,
  main: StoredSource,
  runs: readonly RunToSave[],
): Promise<Run['id'] | null> {
  for (const { run } of runs) {
    const stored = await findRun(store, run.id);
    const storedMain = stored?.sources.find(({ role }) => role === 'main');
    if (storedMain !== undefined && storedMain.sizeBytes > main.sizeBytes) return run.id;
  }
  return null;
}
