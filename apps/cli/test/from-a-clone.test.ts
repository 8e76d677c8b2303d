import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { makeFolder } from './support.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

describe('the command in a clone', () => {
  test('stands among the commands of the workspace, where npx finds it', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    const { stdout } = await run(join(ROOT, 'node_modules/.bin/misstep'), ['--version']);
    expect(stdout).toBe(`${version}\n`);
  });

  test.runIf(process.platform !== 'win32')('says that its folder is gone', async () => {
    const gone = join(await makeFolder(), 'gone');
    await mkdir(gone);
    const script = 'cd "$1" && rmdir "$1" && exec "$2" "$3" runs --json';
    const words = [gone, process.execPath, join(ROOT, 'apps/cli/bin/misstep.js')];
    await expect(run('/bin/sh', ['-c', script, 'sh', ...words])).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^{"error":{"code":"REQUEST_INVALID","message":".* not there/),
      stderr: expect.stringMatching(/^misstep: The folder that you are in is not there [^\n]*\n$/),
    });
  });

  test('says what to do where nothing was built', async () => {
    const folder = await makeFolder();
    const app = join(folder, 'apps/cli');
    await mkdir(app, { recursive: true });
    await writeFile(join(app, 'package.json'), '{"type":"module"}');
    await cp(join(ROOT, 'apps/cli/bin'), join(app, 'bin'), { recursive: true });
    const failed = run(process.execPath, [join(app, 'bin/misstep.js'), 'runs']);
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /not been built yet\. Run `npm start` once, or `npm run build`, in /,
      ),
    });
  });
});
