import { MisstepError } from '@misstep/model';
import type { SourceWriter, Store } from '@misstep/store';
import { expect, test } from 'vitest';
import type { ImportInputFile } from '../src/services/import/input-files.ts';
import { createImportService } from '../src/services/import-service.ts';
import { fileOf, sessionOf } from './recordings.ts';
import { openTestServices } from './support.ts';

/** A store on a disk of so many bytes, of which sources take all: what is saved fits where they do. */
function crowded(store: Store, roomBytes: number) {
  const taken = new Map<string, number>();
  const full = () => new MisstepError('DISK_FULL', 'No space is left.');
  const used = () => [...taken.values()].reduce((sum, size) => sum + size, 0);
  let refusals = 0;
  const refuse = (): MisstepError => {
    refusals += 1;
    return full();
  };
  let uploads = 0;
  const small: Store = {
    ...store,
    async createSource(name): Promise<SourceWriter> {
      const writer = await store.createSource(name);
      uploads += 1;
      const upload = `upload ${uploads}`;
      return {
        async write(chunk) {
          if (used() + chunk.length > roomBytes) {
            taken.delete(upload);
            await writer.abort();
            throw refuse();
          }
          taken.set(upload, (taken.get(upload) ?? 0) + chunk.length);
          await writer.write(chunk);
        },
        async finish() {
          const source = await writer.finish();
          taken.delete(upload);
          taken.set(source.sha256, source.sizeBytes);
          return source;
        },
        async abort() {
          taken.delete(upload);
          await writer.abort();
        },
      };
    },
    async saveImport(input) {
      const rows = input.runs.reduce((sum, { run }) => sum + run.stepCount, 0);
      if (used() + rows * 100 > roomBytes) throw refuse();
      await store.saveImport(input);
    },
    async sweepSources(givenUp = []) {
      for (const sha256 of givenUp) taken.delete(sha256);
      return store.sweepSources(givenUp);
    },
  };
  return { store: small, refusals: () => refusals };
}

/** With ids of its own: what has the same ids at the same times is a copy. */
const session = (number: number, turns: number): string =>
  sessionOf({ sessionId: `0000000${number}-0000-4000-8000-000000000000`, turns }).replaceAll(
    '_main_',
    `_session${number}_`,
  );
const large = session(9, 50).replaceAll('Where is', `${'x'.repeat(30_000)} where is`);

test('a file that does not fit takes no room from those that come at the same time', async () => {
  const services = await openTestServices();
  const disk = crowded(services.store, 500_000);
  const bytes = new TextEncoder().encode(large);
  expect(bytes.length).toBeGreaterThan(1_000_000);
  /** Fills the disk, and goes on once the others have found it so. */
  const hungry: ImportInputFile = {
    path: 'large.jsonl',
    sizeBytes: bytes.length,
    async *open() {
      yield bytes.subarray(0, 499_000);
      for (let turn = 0; turn < 1000 && disk.refusals() < 3; turn += 1) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      yield bytes.subarray(499_000);
    },
  };
  const small = [1, 2, 3].map((number) => fileOf(`${number}.jsonl`, session(number, 5)));
  const imports = createImportService(disk.store);
  const outcomes = await imports.importFiles([hungry, ...small]);
  await imports.close();
  expect(outcomes.map(({ path, error }) => [path, error?.code])).toEqual([
    ['large.jsonl', 'DISK_FULL'],
    ['1.jsonl', undefined],
    ['2.jsonl', undefined],
    ['3.jsonl', undefined],
  ]);
});

test('what has no room once it is read is given back, for those before it and behind it', async () => {
  const services = await openTestServices();
  const [first, second] = [session(1, 5), session(2, 5)];
  // With all sources in place not even the rows of a small one have room.
  const disk = crowded(services.store, 100 + large.length + first.length + second.length);
  const files = [fileOf('1.jsonl', first), fileOf('large.jsonl', large), fileOf('2.jsonl', second)];
  const imports = createImportService(disk.store);
  const outcomes = await imports.importFiles(files);
  await imports.close();
  expect(disk.refusals()).toBeGreaterThan(0);
  expect(outcomes.map(({ path, error }) => [path, error?.code])).toEqual([
    ['1.jsonl', undefined],
    ['large.jsonl', 'DISK_FULL'],
    ['2.jsonl', undefined],
  ]);
  expect((await services.store.listRuns({ offset: 0, limit: 9 })).total).toBe(2);
});
