// A file that no longer fits on a few screens holds more than one thing.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { listFiles } from './lib/stamp.mjs';
import { listUnits } from './lib/units.mjs';
import { rootFolder, say } from './lib/words.mjs';

const warnAboveLines = 300;
const failAboveLines = 400;

/** Fewer files than this means that the check looked in the wrong place. */
const fewestFiles = 20;

/**
 * Files that may be longer, each with the reason.
 * @type {Readonly<Record<string, string>>}
 */
const allowed = {};

/**
 * @param {readonly { file: string, lines: number }[]} files
 * @param {{ allowed: Readonly<Record<string, string>>, fewestFiles: number }} rules
 * @returns {{ warnings: string[], failures: string[] }}
 */
export function judgeSizes(files, rules) {
  const warnings = [];
  const failures = [];
  if (files.length < rules.fewestFiles) {
    failures.push(
      `only ${files.length} files were read; at least ${rules.fewestFiles} were expected`,
    );
  }
  const tooLong = new Set();
  for (const { file, lines } of files) {
    if (lines > failAboveLines) {
      tooLong.add(file);
      if (rules.allowed[file] === undefined) {
        failures.push(`${file}: ${lines} lines, more than ${failAboveLines}`);
      }
    } else if (lines > warnAboveLines) {
      warnings.push(`${file}: ${lines} lines, more than ${warnAboveLines}`);
    }
  }
  for (const file of Object.keys(rules.allowed)) {
    if (!tooLong.has(file)) failures.push(`${file}: is on the list of exceptions and need not be`);
  }
  return { warnings, failures };
}

/** @returns {{ file: string, lines: number }[]} */
export function readSizes() {
  const folders = listUnits().flatMap((unit) =>
    ['src', 'test', 'e2e'].map((part) => path.join(rootFolder, unit, part)),
  );
  return listFiles([...folders, path.join(rootFolder, 'scripts')])
    .map((file) => ({
      path: file,
      file: path.relative(rootFolder, file).split(path.sep).join('/'),
    }))
    .filter(
      ({ file }) => /\.(ts|tsx|mts|mjs|css)$/.test(file) && !/\/(fixtures|samples)\//.test(file),
    )
    .map(({ path: at, file }) => ({
      file,
      lines: readFileSync(at, 'utf8').trimEnd().split('\n').length,
    }));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const files = readSizes();
  const { warnings, failures } = judgeSizes(files, { allowed, fewestFiles });
  for (const warning of warnings) say(`warning: ${warning}`);
  for (const failure of failures) say(`error: ${failure}`);
  say(`${files.length} files looked at.`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
