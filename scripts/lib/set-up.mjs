import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { explainInstallFailure } from './explain-install.mjs';
import { findProgram } from './find-program.mjs';
import { findNodedir } from './node-headers.mjs';
import { bringPackageManager, readPinnedVersion } from './package-manager.mjs';
import { runLogged } from './run-command.mjs';
import { bindingWorks, repairBinding } from './sqlite-binding.mjs';
import { hashFiles, readStamp, removeStamp, stampDifference, writeStamp } from './stamp.mjs';
import { listUnits } from './units.mjs';
import { rootFolder, StepFailed, say } from './words.mjs';

// Inside node_modules, so that it goes when what it vouches for goes.
const stampFile = path.join(rootFolder, 'node_modules', '.misstep-install.json');

/**
 * @param {string} version Node's, without the v
 * @throws {StepFailed} below 20.19
 */
export function checkNodeVersion(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new StepFailed(`Misstep needs Node 20.19 or newer; this is Node ${version}.`, {
    next: 'Install a newer Node, then run the same command again.',
  });
}

/**
 * What compiling needs and PATH doesn't have.
 * @param {(name: string) => boolean} has
 * @returns {string[]}
 */
export function missingTools(has) {
  const missing = [];
  if (!has('python3') && !has('python')) missing.push('python3');
  if (process.platform === 'win32') return missing;
  if (!has('make')) missing.push('make');
  if (!has('c++') && !has('g++') && !has('clang++'))
    missing.push('a C++ compiler (g++ or clang++)');
  return missing;
}

/**
 * The environment for pnpm and what it runs.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<NodeJS.ProcessEnv>}
 */
async function installEnvironment(env) {
  const result = { ...env };
  // Either would leave out the compilers and test tools that the next steps need.
  delete result.NODE_ENV;
  delete result.npm_config_omit;
  delete result.npm_config_production;
  // No question is ever asked: nobody is there to answer it.
  result.CI = 'true';
  const nodedir = await findNodedir(env);
  if (nodedir !== undefined) result.npm_config_nodedir = nodedir;
  return result;
}

/** @param {string} pnpmVersion */
function wantedStamp(pnpmVersion) {
  const manifests = ['package.json', ...listUnits().map((unit) => `${unit}/package.json`)];
  return {
    lockfile: hashFiles(rootFolder, [path.join(rootFolder, 'pnpm-lock.yaml')]),
    manifests: hashFiles(
      rootFolder,
      [...manifests, 'pnpm-workspace.yaml', '.npmrc'].map((file) => path.join(rootFolder, file)),
    ),
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    pnpm: pnpmVersion,
  };
}

/** Units that have dependencies and no folder for them: someone removed it by hand. */
function unitsWithoutModules() {
  return listUnits().filter((unit) => {
    const folder = path.join(rootFolder, unit);
    const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    return names.length > 0 && !existsSync(path.join(folder, 'node_modules'));
  });
}

/**
 * @param {string} pnpmVersion
 * @param {{ command: string, args: string[] }} pnpm
 * @param {NodeJS.ProcessEnv} env
 */
async function install(pnpmVersion, pnpm, env) {
  const missing = missingTools((name) => findProgram(name, env) !== undefined);
  say(
    `Installing packages with pnpm ${pnpmVersion} (the first time compiles SQLite: a minute or two) ...`,
  );
  if (missing.length > 0)
    say(`Note: not found on this machine: ${missing.join(', ')}. Compiling SQLite needs it.`);
  removeStamp(stampFile);
  const { exitCode, logFile } = await runLogged(
    'install',
    pnpm.command,
    [...pnpm.args, 'install', '--frozen-lockfile'],
    { env },
  );
  if (exitCode !== 0) {
    const why = explainInstallFailure(readFileSync(logFile, 'utf8'), {
      missingTools: missing,
      pnpmVersion,
    });
    throw new StepFailed(why.message, { logFile, next: why.next });
  }
}

/**
 * Brings pnpm, the packages and a working SQLite; does nothing, quickly, when all is there.
 * @param {NodeJS.ProcessEnv} [env]
 */
export async function setUp(env = process.env) {
  checkNodeVersion(process.versions.node);
  const pnpmVersion = readPinnedVersion();
  const wanted = wantedStamp(pnpmVersion);
  const installNeeded =
    stampDifference(readStamp(stampFile), wanted) !== undefined || unitsWithoutModules().length > 0;
  if (!installNeeded && (await bindingWorks())) return;
  const childEnv = await installEnvironment(env);
  const pnpm = await bringPackageManager(pnpmVersion, env);
  if (installNeeded) await install(pnpmVersion, pnpm, childEnv);
  if (!(await bindingWorks())) await repairBinding(pnpm, childEnv);
  writeStamp(stampFile, wanted);
}
