import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceHash, Step } from '@misstep/model';
import {
  type Importer,
  type ImportResult,
  makeSourceHead,
  memorySource,
  type SourceGroup,
  type SourceReader,
} from '../src/index.ts';

export const PACKAGE_FOLDER = fileURLToPath(new URL('..', import.meta.url));
export const FIXTURES_FOLDER = join(PACKAGE_FOLDER, 'fixtures');
/** Real files of other projects; not part of the repository. */
export const CORPUS_FOLDER = fileURLToPath(new URL('../../../../shared/corpus', import.meta.url));

export function sourceOf(name: string, bytes: Uint8Array): SourceReader {
  // The digest is 64 lower-case hexadecimal digits, which is what the brand asks for.
  const sha256 = createHash('sha256').update(bytes).digest('hex') as SourceHash;
  return memorySource(name, bytes, sha256);
}

export function sourceOfText(text: string, name = 'text'): SourceReader {
  return sourceOf(name, new TextEncoder().encode(text));
}

export function sourceOfFile(path: string): SourceReader {
  return sourceOf(basename(path), new Uint8Array(readFileSync(path)));
}

/** Every file below a folder, sorted; empty where there is none. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

export interface Companion {
  readonly reader: SourceReader;
  readonly group: SourceGroup;
}

/** Those of the files that belong to the main one as its companions. */
export async function companionsOf(
  importer: Importer,
  main: SourceReader,
  paths: readonly string[],
): Promise<Companion[]> {
  const own = importer.group?.(await makeSourceHead(main), main.name) ?? null;
  if (own === null || own.role !== 'main') return [];
  const companions: Companion[] = [];
  for (const path of paths) {
    const reader = sourceOfFile(path);
    const group = importer.group?.(await makeSourceHead(reader), reader.name) ?? null;
    if (group?.role === 'companion' && group.key === own.key) companions.push({ reader, group });
  }
  return companions;
}

export function stepsOf(result: ImportResult): Step[] {
  return result.runs.flatMap((run) => [...run.steps]);
}

/** Readers by hash, to go from an origin back to its bytes. */
export function readersByHash(readers: readonly SourceReader[]): Map<string, SourceReader> {
  return new Map(readers.map((reader) => [reader.sha256, reader]));
}
