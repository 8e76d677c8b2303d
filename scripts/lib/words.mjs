import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const rootFolder = fileURLToPath(new URL('../../', import.meta.url));

/** Output of long steps; shown only when the step fails. */
export const logFolder = path.join(rootFolder, '.cache', 'logs');

/** Reports that test runners write for machines. */
export const reportFolder = path.join(rootFolder, '.cache', 'reports');

/** A step that failed for a reason a person can act on: no stack trace, but words on what to do next. */
export class StepFailed extends Error {
  /**
   * @param {string} message what failed
   * @param {{ next?: string, logFile?: string }} [more] what to do next, and where the whole output is
   */
  constructor(message, more = {}) {
    super(message);
    this.name = 'StepFailed';
    this.next = more.next;
    this.logFile = more.logFile;
  }
}

/** @param {string} text */
export function say(text) {
  process.stdout.write(`${text}\n`);
}

/**
 * The last lines of a text, for showing why a step failed.
 * @param {string} text
 * @param {number} lineCount
 */
export function lastLines(text, lineCount) {
  return text.trimEnd().split('\n').slice(-lineCount).join('\n');
}

/** @param {string} file */
function readLog(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Prints a failure in words, with the end of the log where there is one.
 * @param {unknown} error
 */
export function sayFailure(error) {
  if (!(error instanceof StepFailed)) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const text = process.env.MISSTEP_DEBUG ? stack : lastLines(String(error), 5);
    process.stderr.write(`\nUnexpected fault in the set-up scripts: ${text}\n`);
    process.stderr.write('Set MISSTEP_DEBUG=1 to see where it came from.\n');
    return;
  }
  const log = error.logFile === undefined ? '' : lastLines(readLog(error.logFile), 40);
  if (log !== '') process.stderr.write(`\n${log}\n`);
  process.stderr.write(`\n${error.message}\n`);
  if (error.logFile !== undefined) {
    process.stderr.write(`Whole output: ${path.relative(rootFolder, error.logFile)}\n`);
  }
  if (error.next !== undefined) process.stderr.write(`${error.next}\n`);
}

/**
 * Runs a script's main part; a failure is said in words and ends with exit code 1.
 * @param {() => Promise<number>} main resolves to the exit code
 */
export async function runScript(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    sayFailure(error);
    process.exitCode = 1;
  }
}
