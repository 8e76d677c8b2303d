import {
  exportReceipt,
  getComparison,
  getReceipt,
  getTextDifference,
  listComparisonRows,
  putIgnoreRules,
  takeAwayReplay,
  takeAwayStep,
  verifyReceipt,
} from './account.ts';
import * as experiments from './experiment.ts';
import * as find from './find.ts';
import * as imports from './import.ts';
import * as prices from './price.ts';
import * as receiver from './receiver.ts';
import * as replays from './replay.ts';
import * as runs from './run.ts';
import * as schemas from './schema.ts';
import * as sources from './source.ts';
import * as system from './system.ts';
import * as targets from './target.ts';

/** Every route by its name. */
export const routes = {
  ...system,
  ...runs,
  ...imports,
  ...find,
  ...sources,
  ...targets,
  ...replays,
  ...receiver,
  ...prices,
  ...experiments,
  ...schemas,
  getReceipt,
  verifyReceipt,
  exportReceipt,
  getComparison,
  listComparisonRows,
  putIgnoreRules,
  getTextDifference,
  takeAwayReplay,
  takeAwayStep,
};
export type RouteName = keyof typeof routes;
