import { createRequire } from 'node:module';
import { findProgram, isProgram } from './find-program.mjs';
import { runLogged } from './run-command.mjs';
import { StepFailed, say } from './words.mjs';

const namesOnPath = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const wellKnownPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * Where Chromium is, in the order: named by the person, on PATH, in a well-known place, fetched
 * by Playwright earlier.
 * @param {object} machine
 * @param {NodeJS.ProcessEnv} machine.env
 * @param {(name: string) => string | undefined} machine.findOnPath
 * @param {(file: string) => boolean} machine.isProgram
 * @param {() => string | undefined} machine.playwrightCopy
 * @returns {string | undefined}
 * @throws {StepFailed} when the person named a file that isn't there: another one would surprise them
 */
export function chooseChromium(machine) {
  for (const name of ['MISSTEP_CHROMIUM', 'CHROMIUM_PATH']) {
    const named = machine.env[name];
    if (!named) continue;
    if (machine.isProgram(named)) return named;
    throw new StepFailed(`${name} names ${named}, which is not a program.`, {
      next: `Point ${name} at Chromium's executable, or unset it to let it be found.`,
    });
  }
  for (const name of namesOnPath) {
    const found = machine.findOnPath(name);
    if (found !== undefined) return found;
  }
  for (const place of [...wellKnownPlaces, machine.playwrightCopy()]) {
    if (place !== undefined && machine.isProgram(place)) return place;
  }
  return undefined;
}

/** @returns {string | undefined} where Playwright would keep its own copy */
function playwrightCopy() {
  try {
    return createRequire(import.meta.url)('@playwright/test').chromium.executablePath();
  } catch {
    return undefined;
  }
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined}
 */
export function findChromium(env) {
  return chooseChromium({
    env,
    findOnPath: (name) => findProgram(name, env),
    isProgram,
    playwrightCopy,
  });
}

/**
 * How Chromium can be brought to this machine, first choice first.
 * @param {{ isRoot: boolean, hasApt: boolean }} machine
 * @returns {('apt' | 'playwright')[]}
 */
export function waysToBring({ isRoot, hasApt }) {
  return isRoot && hasApt ? ['apt', 'playwright'] : ['playwright'];
}

/**
 * @param {'apt' | 'playwright'} way
 * @param {NodeJS.ProcessEnv} env
 */
async function bring(way, env) {
  if (way === 'playwright') {
    say('Getting Chromium through Playwright ...');
    const entry = createRequire(import.meta.url).resolve('@playwright/test/cli');
    await runLogged('chromium-playwright', process.execPath, [entry, 'install', 'chromium'], {
      env,
    });
    return;
  }
  say('Installing Chromium with apt-get (we are root on a Debian-like system) ...');
  const aptEnv = { ...env, DEBIAN_FRONTEND: 'noninteractive' };
  await runLogged('chromium-apt-update', 'apt-get', ['update'], { env: aptEnv });
  await runLogged('chromium-apt', 'apt-get', ['install', '-y', 'chromium'], { env: aptEnv });
}

/**
 * Finds Chromium, or brings it.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} path of the executable
 */
export async function bringChromium(env) {
  const found = findChromium(env);
  if (found !== undefined) return found;
  const machine = {
    isRoot: process.getuid?.() === 0,
    hasApt: findProgram('apt-get', env) !== undefined,
  };
  for (const way of waysToBring(machine)) {
    await bring(way, env);
    const brought = findChromium(env);
    if (brought !== undefined) return brought;
    say(`That brought no Chromium (see .cache/logs/chromium-${way}.log).`);
  }
  throw new StepFailed('The browser tests need Chromium, and none could be found or installed.', {
    next: 'Install Chromium or Chrome (Debian, Ubuntu: apt-get install chromium), or set CHROMIUM_PATH to its executable.',
  });
}
