import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HeadHash, type SourceHead } from '../src/index.ts';
import {
  addSource,
  hashOf,
  makeImport,
  makeRun,
  openTemporaryStore,
  temporaryFolder,
} from './support.ts';

describe('sources', () => {
  it('are kept byte for byte under the name of their hash, for the owner alone', async () => {
    const dataFolder = await temporaryFolder();
    const store = await openTemporaryStore(dataFolder);
    const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => (index * 7) % 256);
    const writer = await store.createSource('noise.bin');
    for (let start = 0; start < bytes.length; start += 60_000) {
      await writer.write(bytes.subarray(start, start + 60_000));
    }
    const source = await writer.finish();
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(source).toMatchObject({ sha256, name: 'noise.bin', sizeBytes: 200_000 });
    const path = await store.sourcePath(source.sha256);
    expect(path).toBe(join(dataFolder, 'sources', sha256.slice(0, 2), sha256));
    expect(Buffer.from(bytes).equals(await readFile(path))).toBe(true);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataFolder, 'misstep.db'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataFolder, 'misstep.db-wal'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataFolder, 'sources'))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(dataFolder, 'incoming'))).toEqual([]);

    const read = await store.readSource(source.sha256, 100, 50);
    expect(Buffer.from(read).equals(Buffer.from(bytes.subarray(100, 150)))).toBe(true);
    expect((await store.readSource(source.sha256, 199_990, 50)).length).toBe(10);
    expect((await store.readSource(source.sha256, 300_000, 50)).length).toBe(0);
  });

  it('are one file however often they come', async () => {
    const store = await openTemporaryStore();
    const first = await addSource(store, 'same', 'first.txt');
    expect(await addSource(store, 'same', 'second.txt')).toEqual(first);
    expect(await store.stats()).toEqual({ runCount: 0, sourceBytes: 4 });
  });

  it('leave nothing when they are aborted', async () => {
    const dataFolder = await temporaryFolder();
    const store = await openTemporaryStore(dataFolder);
    const writer = await store.createSource('x');
    await writer.write(new Uint8Array(10));
    expect(await readdir(join(dataFolder, 'incoming'))).toHaveLength(1);
    await writer.abort();
    expect(await readdir(join(dataFolder, 'incoming'))).toEqual([]);
    await expect(writer.write(new Uint8Array(1))).rejects.toMatchObject({ code: 'INTERNAL' });
    await expect(writer.finish()).rejects.toMatchObject({ code: 'INTERNAL' });
    expect((await store.stats()).sourceBytes).toBe(0);
  });

  it('that are not there are said not to be', async () => {
    const store = await openTemporaryStore();
    const sha256 = hashOf('nothing');
    expect(await store.findSource(sha256)).toBeNull();
    await expect(store.readSource(sha256, 0, 1)).rejects.toMatchObject({
      code: 'SOURCE_NOT_FOUND',
    });
  });

  it('offer those that a grown file may have begun as', async () => {
    const store = await openTemporaryStore();
    const small = await addSource(store, 'line\n');
    const middle = await addSource(store, 'line\nline\n');
    await addSource(store, 'never saved');
    await store.saveImport(makeImport(small.sha256, [makeRun(small.sha256)]));
    await store.saveImport(
      makeImport(middle.sha256, [makeRun(middle.sha256, { number: 2 })], {
        sources: [
          {
            sha256: middle.sha256,
            records: { total: 1, understood: 1, setAside: 0, notUnderstood: 0, malformed: 0 },
            unused: [],
            unlisted: [],
            lineage: small.sha256,
          },
        ],
      }),
    );
    const heads: SourceHead[] = [];
    const hash = new HeadHash((head) => heads.push(head));
    hash.update(Buffer.from('line\nline\nline\n'));
    expect(await store.listSourcesByHead(heads, 'claude-code')).toEqual([
      { ...middle, lineage: small.sha256 },
      { ...small, lineage: small.sha256 },
    ]);
    expect(await store.listSourcesByHead(heads.slice(0, 5), 'claude-code')).toMatchObject([
      { sha256: small.sha256 },
    ]);
    expect(await store.listSourcesByHead(heads, 'frame-log')).toEqual([]);
    const lookUp = (format: string, sizeBytes: number) =>
      store.lookUpSource(middle.sha256, format, sizeBytes, 10);
    expect(await lookUp('claude-code', 9)).toMatchObject({
      lineage: small.sha256,
      largestHead: 5,
      larger: [],
    });
    expect(await lookUp('frame-log', 4)).toMatchObject({ lineage: null, largestHead: 0 });
  });
});

describe('heads', () => {
  it('are the same however the bytes come, and never smaller than eight ninths', () => {
    const bytes = Uint8Array.from({ length: 5000 }, (_, index) => index % 251);
    const wholeHeads: SourceHead[] = [];
    const whole = new HeadHash((head) => wholeHeads.push(head));
    whole.update(bytes);
    const partHeads: SourceHead[] = [];
    const parts = new HeadHash((head) => partHeads.push(head));
    for (let at = 0; at < bytes.length; at += 37) parts.update(bytes.subarray(at, at + 37));
    expect(partHeads).toEqual(wholeHeads);
    const end = whole.finish();
    expect(parts.finish()).toEqual(end);
    expect(end.head).toEqual(wholeHeads.at(-1));
    wholeHeads.reduce((before, { sizeBytes, sha256 }) => {
      expect(before.sizeBytes).toBeGreaterThanOrEqual((sizeBytes - 1) * (8 / 9));
      expect(sha256).toBe(createHash('sha256').update(bytes.subarray(0, sizeBytes)).digest('hex'));
      return { sizeBytes, sha256 };
    });
  });
});
