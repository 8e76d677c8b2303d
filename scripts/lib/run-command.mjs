import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { logFolder, rootFolder, StepFailed } from './words.mjs';

/**
 * @typedef {object} CommandOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 */

/**
 * Exit code as a shell reports it: 128 + signal number for a process that a signal ended.
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
export function exitCodeOf(code, signal) {
  if (code !== null) return code;
  return signal === null ? 1 : 128 + (os.constants.signals[signal] ?? 0);
}

/**
 * Runs a command with its output in `.cache/logs/<step>.log`.
 * @param {string} step names the log file
 * @param {string} command
 * @param {readonly string[]} args
 * @param {CommandOptions} [options]
 * @returns {Promise<{ exitCode: number, logFile: string }>}
 */
export function runLogged(step, command, args, options = {}) {
  mkdirSync(logFolder, { recursive: true });
  const logFile = path.join(logFolder, `${step}.log`);
  const log = createWriteStream(logFile);
  log.write(`$ ${[command, ...args].join(' ')}\n`);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? rootFolder,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    child.once('error', (error) => {
      log.end();
      reject(new StepFailed(`Could not start ${command}: ${error.message}`, { logFile }));
    });
    child.once('close', (code, signal) => {
      log.end(() => resolve({ exitCode: exitCodeOf(code, signal), logFile }));
    });
  });
}

/**
 * Runs a command that talks to the person directly (inherited output, no input).
 * @param {string} command
 * @param {readonly string[]} args
 * @param {CommandOptions} [options]
 * @returns {Promise<number>} exit code
 */
export function runVisible(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? rootFolder,
      env: options.env ?? process.env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.once('error', (error) =>
      reject(new StepFailed(`Could not start ${command}: ${error.message}`)),
    );
    child.once('close', (code, signal) => resolve(exitCodeOf(code, signal)));
  });
}

/**
 * Output of a short command, or undefined when it is missing or fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {CommandOptions} [options]
 * @returns {Promise<string | undefined>}
 */
export function readCommand(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? rootFolder,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
    child.once('error', () => resolve(undefined));
    child.once('close', (code) => resolve(code === 0 ? output.trim() : undefined));
  });
}

/**
 * How to start npm: the one that runs us where there is one, else the one on PATH.
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ command: string, args: string[] }}
 */
export function npmCommand(env) {
  const cli = env.npm_execpath;
  if (cli !== undefined && path.basename(cli) === 'npm-cli.js') {
    return { command: process.execPath, args: [cli] };
  }
  return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', args: [] };
}
