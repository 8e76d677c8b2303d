import {
  createExperiment,
  findExperimentByKey,
  finishExperiment,
  getExperiment,
  listExperiments,
  recordExperimentSend,
} from './queries/experiment.ts';
import {
  followFolder,
  listFollowedFiles,
  listFollowedFolders,
  putFollowedFiles,
  unfollowFolder,
} from './queries/follow.ts';
import { listFrames } from './queries/frame.ts';
import {
  beginImport,
  commitImport,
  dropImport,
  gatherFrames,
  gatherSteps,
  gatherUnused,
  importAtOnce,
} from './queries/gather.ts';
import { readLoop } from './queries/loop.ts';
import { listMarks, putMark, removeMark } from './queries/mark.ts';
import { findSourcesByNumbers } from './queries/record-number.ts';
import {
  createReplay,
  discardReplay,
  findReplayByKey,
  finishReplay,
  getReplay,
  listReplays,
} from './queries/replay.ts';
import {
  deleteRun,
  findRunsByLinks,
  findRunsByNaturalId,
  getRun,
  listRuns,
  stats,
  updateRun,
} from './queries/run.ts';
import { getSetting, setSetting } from './queries/setting.ts';
import {
  claimSources,
  findRunsOfSource,
  findSource,
  giveUpSources,
  listSourcesByHead,
  lookUpSource,
} from './queries/source.ts';
import { closeDatabase, startUp } from './queries/start-up.ts';
import { getStepRow, listStepRows } from './queries/step.ts';
import {
  addTarget,
  confirmTarget,
  getTarget,
  listTargets,
  removeTarget,
  updateTarget,
} from './queries/target.ts';
import { listTools } from './queries/tool.ts';
import { listUnused } from './queries/unused-record.ts';

/** Everything that the worker can be asked for; each takes the database and then its own arguments. */
export const HANDLERS = {
  startUp,
  closeDatabase,
  claimSources,
  findSource,
  listSourcesByHead,
  lookUpSource,
  findRunsOfSource,
  giveUpSources,
  beginImport,
  gatherSteps,
  gatherFrames,
  gatherUnused,
  commitImport,
  dropImport,
  importAtOnce,
  listRuns,
  getRun,
  findRunsByNaturalId,
  findRunsByLinks,
  findSourcesByNumbers,
  updateRun,
  deleteRun,
  listStepRows,
  getStepRow,
  listFrames,
  listTools,
  listUnused,
  listMarks,
  putMark,
  removeMark,
  listTargets,
  getTarget,
  addTarget,
  confirmTarget,
  updateTarget,
  removeTarget,
  createReplay,
  finishReplay,
  discardReplay,
  getReplay,
  findReplayByKey,
  listReplays,
  createExperiment,
  recordExperimentSend,
  finishExperiment,
  getExperiment,
  findExperimentByKey,
  listExperiments,
  readLoop,
  listFollowedFolders,
  followFolder,
  unfollowFolder,
  listFollowedFiles,
  putFollowedFiles,
  getSetting,
  setSetting,
  stats,
};

export type Handlers = typeof HANDLERS;
