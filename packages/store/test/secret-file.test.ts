import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SecretFile, type StoredSecret } from '../src/index.ts';
import { temporaryFolder } from './support.ts';

const secretOf = (name: string, value = `value of ${name}`): StoredSecret => ({
  targetName: 'depot',
  kind: 'environment',
  name,
  boundTo: 'somewhere',
  value,
  savedAt: '2026-01-05T10:00:00.000Z',
});

const add = (file: SecretFile, name: string) => file.update((kept) => [...kept, secretOf(name)]);

describe('secrets', () => {
  test('stand in a file that only its owner may read, and nothing is left beside it', async () => {
    const folder = await temporaryFolder();
    const file = new SecretFile(folder);
    expect(await file.read()).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
    await add(file, 'ONE');
    expect(await new SecretFile(folder).read()).toEqual([secretOf('ONE')]);
    expect((await stat(join(folder, 'secrets.json'))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['secrets.json']);
  });

  test('that others could read are narrowed, and that is said', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'secrets.json');
    await add(new SecretFile(folder), 'ONE');
    await chmod(path, 0o644);
    const lines: string[] = [];
    const file = new SecretFile(folder, (line) => lines.push(line));
    expect(await file.read()).toHaveLength(1);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await file.read();
    expect(lines).toEqual([expect.stringContaining('mode 0644')]);
  });

  test('of several writers are all kept', async () => {
    const folder = await temporaryFolder();
    const names = Array.from({ length: 12 }, (_each, index) => `N${index}`);
    const files = [new SecretFile(folder), new SecretFile(folder), new SecretFile(folder)];
    await Promise.all(
      names.map((name, index) => add(files[index % files.length] ?? new SecretFile(folder), name)),
    );
    const kept = await new SecretFile(folder).read();
    expect(kept.map(({ name }) => name).sort()).toEqual([...names].sort());
    expect(await readdir(folder)).toEqual(['secrets.json']);
  });

  test('are written where a dead process left its lock', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'secrets.json.lock'), '4194303-1');
    await add(new SecretFile(folder), 'ONE');
    expect(await readdir(folder)).toEqual(['secrets.json']);
  });

  test('survive a change that fails, and the next one goes on', async () => {
    const folder = await temporaryFolder();
    const file = new SecretFile(folder);
    await add(file, 'ONE');
    const before = await readFile(join(folder, 'secrets.json'), 'utf8');
    await expect(
      file.update(() => {
        throw new Error('no');
      }),
    ).rejects.toThrow();
    expect(await readFile(join(folder, 'secrets.json'), 'utf8')).toBe(before);
    await file.update((kept) => kept);
    await add(file, 'TWO');
    expect(await file.read()).toHaveLength(2);
  });

  test('that can’t be read are never quoted or overwritten', async () => {
    for (const text of [
      '{"version":1,"secrets":[{"value":"hunter-2"}]}',
      'hunter-2',
      '{"version":1,"secrets":"hunter-2"}',
      '',
    ]) {
      const folder = await temporaryFolder();
      const path = join(folder, 'secrets.json');
      await writeFile(path, text, { mode: 0o600 });
      const file = new SecretFile(folder);
      const failure = await file.read().catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'SECRETS_UNREADABLE' });
      expect(JSON.stringify(failure) + String(failure)).not.toContain('hunter');
      await expect(add(file, 'ONE')).rejects.toMatchObject({ code: 'SECRETS_UNREADABLE' });
      expect(await readFile(path, 'utf8')).toBe(text);
    }
  });

  test('of a newer Misstep, and what is no file, are refused', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'secrets.json'), '{"version":2,"secrets":{}}', { mode: 0o600 });
    await expect(new SecretFile(folder).read()).rejects.toMatchObject({
      code: 'DATA_FOLDER_NEWER',
    });
    const other = await temporaryFolder();
    await mkdir(join(other, 'secrets.json'), { mode: 0o700 });
    await expect(new SecretFile(other).read()).rejects.toMatchObject({ code: expect.any(String) });
  });
});
