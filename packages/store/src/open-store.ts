import { randomBytes } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { RunId, SourceHash, Step } from '@misstep/model';
import { emptyIncoming, prepareDataFolder } from './data-folder.ts';
import { errorCode } from './failure.ts';
import { layout } from './layout.ts';
import { ownProcessToken } from './process-token.ts';
import { sendImport } from './send-import.ts';
import { SourceClaims } from './source-claims.ts';
import { createSourceWriter, readSourceBytes, sourceNotFound } from './source-file.ts';
import { decodeStep } from './step-row.ts';
import type { Store } from './store.ts';
import { WorkerClient } from './worker-client.ts';

/** Rows that are read at one go; the event loop turns between two goes. */
const STEPS_AT_ONCE = 1000;

export interface StoreOptions {
  /** Made if it isn't there. Several processes may use one folder at a time. */
  readonly dataFolder: string;
  /** Told what a start has put in order. */
  readonly onLog?: (line: string) => void;
}

/**
 * Opens a data folder and puts in order what a killed process has left in it. DATA_FOLDER_NEWER,
 * DATA_FOLDER_DAMAGED and DATA_FOLDER_READ_ONLY before anything is changed.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const dataFolder = resolve(options.dataFolder);
  await prepareDataFolder(dataFolder);
  const client = await WorkerClient.start({ dataFolder });
  try {
    await emptyIncoming(dataFolder);
    const found = await client.call('startUp');
    if (found.sourcesSwept > 0) {
      options.onLog?.(`Removed ${found.sourcesSwept} sources of unfinished imports.`);
    }
    if (found.replaysInterrupted > 0) {
      options.onLog?.(`${found.replaysInterrupted} replays were interrupted.`);
    }
    if (found.experimentsInterrupted > 0) {
      options.onLog?.(`${found.experimentsInterrupted} experiments were interrupted.`);
    }
  } catch (error) {
    await client.close();
    throw error;
  }
  return createStore(client, dataFolder);
}

function createStore(client: WorkerClient, dataFolder: string): Store {
  const processToken = ownProcessToken();
  const claims = new SourceClaims(client);
  const now = () => new Date().toISOString();

  return {
    dataFolder,
    targetFolder: layout.targetFolder(dataFolder),

    createSource: (name) => createSourceWriter(claims, dataFolder, name),
    findSource: async (sha256) => {
      const source = await client.call('findSource', sha256);
      return source !== null && (await hasFile(dataFolder, sha256)) ? source : null;
    },
    readSource: (sha256, offset, length) => readSourceBytes(dataFolder, sha256, offset, length),
    sourcePath: async (sha256) => {
      if (!(await hasFile(dataFolder, sha256))) throw sourceNotFound(sha256);
      return layout.source(dataFolder, sha256);
    },
    scratchPath: () =>
      join(layout.incoming(dataFolder), `${processToken}.${randomBytes(8).toString('hex')}.pages`),
    lookUpSource: (sha256, format, sizeBytes, mostLarger) =>
      client.call('lookUpSource', sha256, format, sizeBytes, mostLarger),
    listSourcesByHead: (heads, format) => client.call('listSourcesByHead', heads, format),
    findRunsOfSource: (sha256) => client.call('findRunsOfSource', sha256),
    findRunsByNaturalId: (format, naturalId) =>
      client.call('findRunsByNaturalId', format, naturalId),
    findSourcesByNumbers: (format, numbers) => client.call('findSourcesByNumbers', format, numbers),
    findRunsByLinks: (format, links) => client.call('findRunsByLinks', format, links),
    sweepSources: (givenUp = []) => client.call('giveUpSources', givenUp, processToken),

    saveImport: (input) => sendImport(client, input, processToken),

    listRuns: (page) => client.call('listRuns', page),
    getRun: (runId) => client.call('getRun', runId),
    updateRun: (runId, change) => client.call('updateRun', runId, change),
    deleteRun: (runId) => client.call('deleteRun', runId),

    listSteps: (runId, keep) => listSteps(client, runId, keep),
    getStep: async (runId, stepId) => {
      const { row, sources } = await client.call('getStepRow', runId, stepId);
      return decodeStep(row, sources);
    },
    listFrames: (runId, filter) => client.call('listFrames', runId, filter),
    listTools: (runId) => client.call('listTools', runId),
    listUnused: (runId, filter) => client.call('listUnused', runId, filter),

    listMarks: (runId) => client.call('listMarks', runId),
    putMark: (runId, draft, author) => client.call('putMark', runId, draft, author, Date.now()),
    removeMark: (runId) => client.call('removeMark', runId, now()),

    listTargets: () => client.call('listTargets'),
    getTarget: (name) => client.call('getTarget', name),
    addTarget: (target) => client.call('addTarget', target, now()),
    confirmTarget: (name, trustsReadOnlyHint) =>
      client.call('confirmTarget', name, trustsReadOnlyHint, now()),
    updateTarget: (name, change, keepsConfirmation) =>
      client.call('updateTarget', name, change, keepsConfirmation),
    removeTarget: (name) => client.call('removeTarget', name),

    createReplay: async (replay) => {
      await client.call('createReplay', replay, processToken);
      return { frameLogPath: layout.frameLog(dataFolder, replay.id) };
    },
    discardReplay: (replayId) => client.call('discardReplay', replayId),
    finishReplay: (replayId, end) => client.call('finishReplay', replayId, end),
    getReplay: (replayId) => client.call('getReplay', replayId),
    findReplayByKey: (idempotencyKey) => client.call('findReplayByKey', idempotencyKey),
    listReplays: (filter) => client.call('listReplays', filter),

    createExperiment: async (experiment) => {
      await client.call('createExperiment', experiment, processToken);
      return { frameLogPath: layout.experimentFrameLog(dataFolder, experiment.id) };
    },
    recordExperimentSend: (experimentId, send, matrix) =>
      client.call('recordExperimentSend', experimentId, send, matrix),
    finishExperiment: (experimentId, end) => client.call('finishExperiment', experimentId, end),
    getExperiment: (experimentId) => client.call('getExperiment', experimentId),
    findExperimentByKey: (idempotencyKey) => client.call('findExperimentByKey', idempotencyKey),
    listExperiments: (filter) => client.call('listExperiments', filter),
    readLoop: () => client.call('readLoop'),

    listFollowedFolders: () => client.call('listFollowedFolders'),
    followFolder: (folder) => client.call('followFolder', folder),
    unfollowFolder: (id) => client.call('unfollowFolder', id),
    listFollowedFiles: (id) => client.call('listFollowedFiles', id),
    putFollowedFiles: (id, files) => client.call('putFollowedFiles', id, files),

    getSetting: (key) => client.call('getSetting', key),
    setSetting: (key, value) => client.call('setSetting', key, value),

    stats: () => client.call('stats'),
    close: () => client.close(),
  };
}

/**
 * In pieces, since a long run's steps at one go would stall the thread that receives them; the
 * worker reads the next piece while this one is decoded.
 */
async function listSteps(
  client: WorkerClient,
  runId: RunId,
  keep: (step: Step) => Step = (step) => step,
): Promise<Step[]> {
  const ask = (afterSeq: number) => client.call('listStepRows', runId, afterSeq, STEPS_AT_ONCE);
  let steps: Step[] = [];
  let piece = await ask(0);
  let { reading } = piece;
  for (;;) {
    const lastSeq = piece.rows.length < STEPS_AT_ONCE ? null : Number(piece.rows.at(-1)?.[0]);
    const next = lastSeq === null ? null : ask(lastSeq);
    // Reported where it is awaited, also when it fails before that.
    next?.catch(() => undefined);
    for (const row of piece.rows) steps.push(keep(decodeStep(row, piece.sources)));
    if (next === null) return steps;
    piece = await next;
    if (piece.reading !== reading) {
      // The run was read anew in the middle: its former steps are of no use.
      steps = [];
      piece = await ask(0);
      reading = piece.reading;
    }
  }
}

async function hasFile(dataFolder: string, sha256: SourceHash): Promise<boolean> {
  try {
    await access(layout.source(dataFolder, sha256));
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
