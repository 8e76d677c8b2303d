import { databaseOfLog } from './sqlite/open-database.ts';

/** Files that a client writes side by side and that tell of one run; the folder is the unit. */
const ONE_FOLDER: readonly RegExp[] = [
  // A task of Cline or Roo Code.
  /^(.*[\\/]|)(?:ui_messages|api_conversation_history)\.json$/,
  // A conversation of OpenHands: a file an event.
  /^(.*[\\/]|)event-\d+-[^\\/]*\.json$/,
];

/**
 * What files that must be taken in together have in common: the database of a log, or the folder of
 * files that are one run. Any other file is a unit of its own. `path` as the person gave it.
 */
export function unitOfPath(path: string): string {
  for (const pattern of ONE_FOLDER) {
    const folder = pattern.exec(path)?.[1];
    if (folder !== undefined) return `${folder}*`;
  }
  return databaseOfLog(path) ?? path;
}
