import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findProgram } from './find-program.mjs';
import { npmCommand, readCommand, runLogged } from './run-command.mjs';
import { rootFolder, StepFailed, say } from './words.mjs';

/**
 * The pnpm version that package.json pins.
 * @param {string | undefined} packageManager e.g. `pnpm@12.4.2` or `pnpm@12.4.2+sha512.abc`
 */
export function pinnedVersion(packageManager) {
  const version = /^pnpm@(\d+\.\d+\.\d+[^+]*)/.exec(packageManager ?? '')?.[1];
  if (version === undefined) {
    throw new StepFailed('package.json pins no pnpm version.', {
      next: 'It needs a line like "packageManager": "pnpm@12.4.2".',
    });
  }
  return version;
}

/** @returns {string} */
export function readPinnedVersion() {
  const manifest = JSON.parse(readFileSync(path.join(rootFolder, 'package.json'), 'utf8'));
  return pinnedVersion(manifest.packageManager);
}

/**
 * Brings the pinned pnpm: one on PATH, our own copy from an earlier run, or a new copy through npm.
 * @param {string} version
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ command: string, args: string[] }>}
 */
export async function bringPackageManager(version, env) {
  const onPath = findProgram('pnpm', env);
  // Asked outside the workspace: inside, some versions answer with the pinned number and then download it.
  if (onPath !== undefined && process.platform !== 'win32') {
    const answer = await readCommand(onPath, ['--version'], { env, cwd: os.tmpdir() });
    if (answer === version) return { command: onPath, args: [] };
  }
  const toolFolder = path.join(rootFolder, '.cache', 'tools');
  const home = path.join(toolFolder, `pnpm-${version}`);
  const entry = path.join(home, 'node_modules', 'pnpm', 'bin', 'pnpm.mjs');
  if (!existsSync(entry)) await download(version, toolFolder, home, env);
  return { command: process.execPath, args: [entry] };
}

/**
 * @param {string} version
 * @param {string} toolFolder
 * @param {string} home
 * @param {NodeJS.ProcessEnv} env
 */
async function download(version, toolFolder, home, env) {
  say(`Getting pnpm ${version} through npm, for this folder only ...`);
  mkdirSync(toolFolder, { recursive: true });
  // Made aside and renamed, so that an interrupted download never looks like a finished one.
  const aside = mkdtempSync(path.join(toolFolder, 'pnpm-incoming-'));
  const npm = npmCommand(env);
  const flags = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const result = await runLogged(
    'pnpm',
    npm.command,
    [...npm.args, 'install', '--prefix', aside, ...flags, `pnpm@${version}`],
    { env },
  );
  if (result.exitCode !== 0) {
    rmSync(aside, { recursive: true, force: true });
    throw new StepFailed(`npm could not get pnpm ${version}.`, {
      logFile: result.logFile,
      next: `The first start needs the npm registry. Check the network and npm's registry setting, or install pnpm ${version} yourself.`,
    });
  }
  rmSync(home, { recursive: true, force: true });
  renameSync(aside, home);
}
