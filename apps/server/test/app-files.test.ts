import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HOST, makeFolder, openTestApp, TOKEN } from './support.ts';

async function build(folder: string, name: string): Promise<void> {
  await rm(join(folder, 'assets'), { recursive: true, force: true });
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'assets', `main-${name}.js`), `// ${name}`);
  const script = `<script type="module" src="/assets/main-${name}.js"></script>`;
  await writeFile(join(folder, 'index.html'), `<html><head>${script}</head></html>`);
}

test('a build that is replaced under a running server is the one that is served', async () => {
  const appFolder = await makeFolder();
  await build(appFolder, 'aaaaaaaa');
  const { app } = await openTestApp({ app: { appFolder } });
  const get = (url: string) =>
    app.inject({ url, headers: { host: HOST, authorization: `Bearer ${TOKEN}` } });
  expect((await get('/runs')).body).toContain('main-aaaaaaaa.js');
  await build(appFolder, 'bbbbbbbb');
  const page = await get('/runs');
  expect(page.body).toContain('main-bbbbbbbb.js');
  const script = await get('/assets/main-bbbbbbbb.js');
  expect([script.statusCode, script.body]).toEqual([200, '// bbbbbbbb']);
  expect(script.headers['cache-control']).toContain('immutable');
  // What is gone is not answered by the page.
  expect((await get('/assets/main-aaaaaaaa.js')).statusCode).toBe(404);
  expect((await get('/assets/..%2findex.html')).body).not.toContain('<script');
  expect((await get('/assets/')).statusCode).toBe(404);
});
