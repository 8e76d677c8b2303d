import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { addSource, openTemporaryStore } from './support.ts';

it('bytes that are here already are not put in place again, unless they were damaged there', async () => {
  const store = await openTemporaryStore();
  const first = await addSource(store, 'the same bytes');
  const path = await store.sourcePath(first.sha256);
  const again = await addSource(store, 'the same bytes');
  expect(again).toEqual(first);
  expect(await readFile(path, 'utf8')).toBe('the same bytes');
  await writeFile(path, 'the SAME bytes');
  await addSource(store, 'the same bytes');
  expect(await readFile(path, 'utf8')).toBe('the same bytes');
});
