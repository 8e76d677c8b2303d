import path from 'node:path';
import { toolchainHint } from './explain-install.mjs';
import { readCommand, runLogged } from './run-command.mjs';
import { rootFolder, StepFailed, say } from './words.mjs';

const probe = `
const Database = require('better-sqlite3');
const row = new Database(':memory:').prepare('select 41 + 1 as answer').get();
if (row.answer !== 42) throw new Error('SQLite gave a wrong answer');
process.stdout.write('works');
`;

/**
 * Whether better-sqlite3's compiled binding really loads under this Node. In a child process,
 * because a binding made for another Node can end the process.
 */
export async function bindingWorks() {
  const cwd = path.join(rootFolder, 'packages', 'store');
  return (await readCommand(process.execPath, ['-e', probe], { cwd })) === 'works';
}

/**
 * Makes sure that SQLite works: rebuilds its binding once when it doesn't load.
 * @param {{ command: string, args: string[] }} pnpm
 * @param {NodeJS.ProcessEnv} env
 */
export async function repairBinding(pnpm, env) {
  say(
    `SQLite's binding does not load under Node ${process.versions.node}: compiling it (about a minute) ...`,
  );
  const { exitCode, logFile } = await runLogged(
    'rebuild-sqlite',
    pnpm.command,
    [...pnpm.args, '--filter', '@misstep/store', 'rebuild', 'better-sqlite3'],
    { env },
  );
  if (exitCode === 0 && (await bindingWorks())) return;
  throw new StepFailed(
    `better-sqlite3 does not load under Node ${process.versions.node}, even after compiling it again.`,
    {
      logFile,
      next: `Remove the node_modules folder and run the same command again. Compiling needs a C++20 compiler, make and python3. ${toolchainHint}`,
    },
  );
}
