import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/**
 * A stamp is a small JSON object that says from what a result was made. Work is skipped only when
 * the stamp beside the result is equal, key by key, to the one that would be written now.
 * @typedef {Record<string, string>} Stamp
 */

/**
 * The first difference between two stamps in words, or undefined when they are equal.
 * @param {Stamp | undefined} found
 * @param {Stamp} wanted
 * @returns {string | undefined}
 */
export function stampDifference(found, wanted) {
  if (found === undefined) return 'not done yet';
  for (const key of new Set([...Object.keys(wanted), ...Object.keys(found)])) {
    if (found[key] !== wanted[key]) return `${key} changed`;
  }
  return undefined;
}

/**
 * @param {string} file
 * @returns {Stamp | undefined} undefined when missing or damaged
 */
export function readStamp(file) {
  if (!existsSync(file)) return undefined;
  try {
    const value = JSON.parse(readFileSync(file, 'utf8'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} file
 * @param {Stamp} stamp
 */
export function writeStamp(file, stamp) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(stamp, null, 2)}\n`);
}

/** @param {string} file */
export function removeStamp(file) {
  rmSync(file, { force: true });
}

/**
 * Files below the given paths, sorted, without installed or built ones.
 * @param {readonly string[]} paths files or folders; a missing one counts as empty
 * @returns {string[]}
 */
export function listFiles(paths) {
  /** @type {string[]} */
  const files = [];
  const waiting = [...paths];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!existsSync(next)) continue;
    if (!statSync(next).isDirectory()) {
      files.push(next);
      continue;
    }
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      if (entry.name === 'node_modules' || entry.name === 'dist') continue;
      const file = path.join(next, entry.name);
      if (entry.isDirectory()) waiting.push(file);
      else if (entry.isFile()) files.push(file);
    }
  }
  return files.sort();
}

/**
 * SHA-256 over names and contents, so that a renamed or removed file counts as a change too.
 * @param {string} base names are taken relative to it
 * @param {readonly string[]} paths files or folders
 */
export function hashFiles(base, paths) {
  const hash = createHash('sha256');
  for (const file of listFiles(paths)) {
    const content = readFileSync(file);
    hash.update(`${path.relative(base, file).split(path.sep).join('/')}\0${content.length}\0`);
    hash.update(content);
  }
  return hash.digest('hex');
}
