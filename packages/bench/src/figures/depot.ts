import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Packages in a folder of their own, apart from the workspace. */
export interface Depot {
  readonly folder: string;
  /** The script that a package runs as its command. */
  bin(packageName: string): string;
}

/**
 * Installs packages in exact versions (`name@version`), once, without their install scripts. Throws
 * with a sentence where that can't be done.
 */
export function installDepot(specs: readonly string[]): Depot {
  const key = createHash('sha256').update(specs.join('\n')).digest('hex').slice(0, 16);
  const caches = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const folder = join(caches, 'misstep-figures', key);
  const stamp = join(folder, 'installed.txt');
  process.stdout.write(`${specs.map((spec) => `  ${spec}\n`).join('')}`);
  if (!existsSync(stamp)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    process.stdout.write('Installing them into a cache folder, apart from this project ...\n');
    const flags = [
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--no-package-lock',
      '--save-exact',
    ];
    const { status, stderr } = spawnSync('npm', ['install', ...flags, ...specs], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(explain(stderr ?? ''));
    writeFileSync(stamp, `${specs.join('\n')}\n`);
  }
  return { folder, bin: (packageName) => binOf(folder, packageName) };
}

function explain(stderr: string): string {
  const isOffline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ECONNRESET/.test(
    stderr,
  );
  return isOffline
    ? 'These packages are not here yet and npm does not reach its registry: run this again when online.'
    : `npm install failed:\n${stderr.split('\n').slice(-15).join('\n')}`;
}

function binOf(folder: string, packageName: string): string {
  const home = join(folder, 'node_modules', packageName);
  // A package's own description, as npm wrote it.
  const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    bin?: string | Record<string, string>;
  };
  const script = typeof bin === 'string' ? bin : Object.values(bin ?? {})[0];
  if (script === undefined) throw new Error(`${packageName} has no command.`);
  return join(home, script);
}
