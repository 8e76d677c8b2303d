import { first } from './0001-first.ts';
import { targetSettings } from './0002-target-settings.ts';
import { experiments } from './0004-experiments.ts';
import { setAside } from './0006-set-aside.ts';
import { externalMarks } from './0007-external-marks.ts';
import { followedFolders } from './0008-followed-folders.ts';
import { secretPlaces } from './0009-secret-places.ts';
import { modelUsage } from './0010-model-usage.ts';
import { sourceLinks } from './0012-source-links.ts';
import { recordNumbers } from './0014-record-numbers.ts';

/**
 * In the order in which they came; the version after the nth is n. Never edited nor put in between
 * once they are here: add the next one at the end.
 */
export const MIGRATIONS: readonly string[] = [
  first,
  targetSettings,
  setAside,
  experiments,
  externalMarks,
  followedFolders,
  secretPlaces,
  modelUsage,
  sourceLinks,
  recordNumbers,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** `MSTP`: marks the file as ours, so that another program's database is never migrated. */
export const APPLICATION_ID = 0x4d535450;
