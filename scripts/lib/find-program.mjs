import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Whether a path is a file that may be executed.
 * @param {string} file
 */
export function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Finds a program on PATH.
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined} its absolute path
 */
export function findProgram(name, env) {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];
  for (const folder of (env.PATH ?? '').split(path.delimiter)) {
    if (folder === '') continue;
    for (const ending of endings) {
      const file = path.resolve(folder, name + ending);
      if (isProgram(file)) return file;
    }
  }
  return undefined;
}
