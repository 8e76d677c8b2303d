import { basename, dirname, join } from 'node:path';
import { type Importer, importers, type SourceReader } from '../src/index.ts';
import {
  type Companion,
  companionsOf,
  FIXTURES_FOLDER,
  filesBelow,
  sourceOfFile,
} from './support.ts';

export interface Fixture {
  readonly importer: Importer;
  readonly path: string;
  readonly name: string;
  readonly expectationPath: string;
}

const COMPANION = /\.companion-[^/]+$/;

/** `fixtures/<id>/<name>.<ext>`, with `<name>.companion-*.<ext>` beside it, of every importer. */
export function listFixtures(): Fixture[] {
  return importers.flatMap((importer) =>
    filesBelow(join(FIXTURES_FOLDER, importer.id))
      .filter((path) => !path.endsWith('.expected.json') && basename(path) !== 'README.md')
      .filter((path) => !COMPANION.test(path))
      .map((path) => ({
        importer,
        path,
        name: `${importer.id}/${basename(path)}`,
        expectationPath: `${path}.expected.json`,
      })),
  );
}

export async function loadFixture(
  fixture: Fixture,
): Promise<{ main: SourceReader; companions: Companion[]; readers: SourceReader[] }> {
  const main = sourceOfFile(fixture.path);
  const prefix = `${basename(fixture.path).replace(/\.[^.]+$/, '')}.companion-`;
  const near = filesBelow(dirname(fixture.path)).filter((path) =>
    basename(path).startsWith(prefix),
  );
  const companions = await companionsOf(fixture.importer, main, near);
  return { main, companions, readers: [main, ...companions.map(({ reader }) => reader)] };
}
