import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { runLogged } from './run-command.mjs';
import { hashFiles, readStamp, removeStamp, stampDifference, writeStamp } from './stamp.mjs';
import { listUnits } from './units.mjs';
import { rootFolder, StepFailed } from './words.mjs';

/** @param {string[]} parts */
const fromRoot = (...parts) => path.join(rootFolder, ...parts);

export const compilerEntry = fromRoot('node_modules', 'typescript', 'bin', 'tsc');

/**
 * The compiler trusts its own notes, also when the output they speak of has been removed by hand:
 * then the notes have to go too.
 */
function forgetNotesWithoutOutput() {
  for (const unit of listUnits()) {
    const notes = fromRoot(unit, 'tsconfig.tsbuildinfo');
    if (existsSync(notes) && !existsSync(fromRoot(unit, 'dist'))) rmSync(notes);
  }
}

/** Compiles every unit (`tsc -b`), which is also the check of types. */
export async function buildTypes() {
  forgetNotesWithoutOutput();
  const { exitCode, logFile } = await runLogged('types', process.execPath, [compilerEntry, '-b']);
  if (exitCode !== 0) throw new StepFailed('The types do not fit (tsc -b).', { logFile });
}

/**
 * Builds the browser side, unless nothing that goes into it has changed.
 * @returns {Promise<boolean>} whether there was anything to do
 */
export async function buildWeb() {
  const web = fromRoot('apps', 'web');
  const stampFile = path.join(web, 'dist', 'web-build.json');
  const wanted = {
    sources: hashFiles(rootFolder, [
      ...['src', 'public', 'index.html', 'package.json', 'vite.config.ts', 'tsconfig.json'].map(
        (name) => path.join(web, name),
      ),
      ...listUnits()
        .filter((unit) => unit.startsWith('packages/'))
        .flatMap((unit) => [fromRoot(unit, 'src'), fromRoot(unit, 'package.json')]),
      fromRoot('tsconfig.base.json'),
      fromRoot('pnpm-lock.yaml'),
    ]),
    node: process.versions.node,
  };
  const built = existsSync(path.join(web, 'dist', 'app', 'index.html'));
  if (built && stampDifference(readStamp(stampFile), wanted) === undefined) return false;
  removeStamp(stampFile);
  const entry = path.join(web, 'node_modules', 'vite', 'bin', 'vite.js');
  const { exitCode, logFile } = await runLogged('web', process.execPath, [entry, 'build'], {
    cwd: web,
  });
  if (exitCode !== 0)
    throw new StepFailed('The browser side could not be built (vite build).', { logFile });
  writeStamp(stampFile, wanted);
  return true;
}
