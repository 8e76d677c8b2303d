import { isBuiltin } from 'node:module';
import path from 'node:path';
import type { levels } from './levels.ts';
import { readImports } from './read-imports.ts';

type Levels = typeof levels;

export interface SourceFile {
  /** Relative to the repository, with forward slashes: `packages/json/src/parse.ts`. */
  file: string;
  text: string;
}

export interface DirectionReport {
  violations: string[];
  fileCount: number;
  importCount: number;
}

const scope = '@misstep/';

/** `packages/json` of `packages/json/src/parse.ts`. */
function unitFolder(file: string): string {
  return file.split('/').slice(0, 2).join('/');
}

/** Says why an import is not allowed, or nothing. */
function judge(specifier: string | undefined, file: string, table: Levels): string | undefined {
  if (specifier === undefined)
    return 'imports what is decided only at run time, which nobody can check';
  const folder = unitFolder(file);
  const name = path.posix.basename(folder);
  const unit = table[name];
  if (specifier.startsWith('.')) {
    const target = path.posix.join(path.posix.dirname(file), specifier);
    if (target.startsWith(`${folder}/src/`) || target === `${folder}/package.json`)
      return undefined;
    return `imports ${specifier}, which leaves ${folder}/src`;
  }
  if (specifier.startsWith('/') || specifier.startsWith('file:'))
    return `imports the absolute ${specifier}`;
  if (isBuiltin(specifier)) {
    return unit?.browserSafe
      ? `imports Node's ${specifier}, but ${name} also runs in a browser`
      : undefined;
  }
  if (!specifier.startsWith(scope)) return undefined;
  const [target = '', subPath] = specifier.slice(scope.length).split('/');
  if (target === name) return `imports ${specifier}, which is itself: use a relative path`;
  if (table[target] === undefined) return `imports ${specifier}, which is not in the table`;
  if (table[target].developmentOnly && !unit?.developmentOnly) {
    return `imports ${specifier}, which is for tests and benchmarks only`;
  }
  if (subPath === 'testing' && !unit?.developmentOnly)
    return `imports ${specifier}, which is for tests only`;
  if (!unit?.mayImport.includes(target) && !unit?.peers?.includes(target))
    return `imports ${specifier}; the table does not allow ${name} to`;
  return undefined;
}

/** The table has to agree with itself and with what is there. */
function judgeTable(units: readonly string[], table: Levels): string[] {
  const violations: string[] = [];
  for (const unit of units) {
    if (table[path.posix.basename(unit)] === undefined)
      violations.push(`${unit} is not in the table`);
  }
  for (const [name, unit] of Object.entries(table)) {
    for (const target of [...unit.mayImport, ...(unit.peers ?? [])]) {
      const other = table[target];
      if (other === undefined) {
        violations.push(`the table lets ${name} import ${target}, which it doesn't list`);
        continue;
      }
      const isPeer = unit.peers?.includes(target) && !other.peers?.includes(name);
      if (isPeer ? other.level !== unit.level : other.level >= unit.level) {
        violations.push(`the table lets ${name} import ${target}, which is not lower`);
      }
    }
  }
  return violations;
}

/**
 * Holds the real imports of all source files against the table.
 * @param units existing workspace folders, `packages/json`
 */
export function findViolations(
  units: readonly string[],
  files: readonly SourceFile[],
  table: Levels,
): DirectionReport {
  const violations = judgeTable(units, table);
  let importCount = 0;
  for (const { file, text } of files) {
    const { imports, parseErrors } = readImports(file, text);
    for (const error of parseErrors) violations.push(`${file} can't be parsed: ${error}`);
    importCount += imports.length;
    for (const { specifier, line } of imports) {
      const why = judge(specifier, file, table);
      if (why !== undefined) violations.push(`${file}:${line} ${why}`);
    }
  }
  for (const unit of units) {
    if (!files.some(({ file }) => file.startsWith(`${unit}/src/`))) {
      violations.push(`no source file of ${unit} was read`);
    }
  }
  return { violations, fileCount: files.length, importCount };
}
