// npm start: set up, build, then serve the app with the demo run. Further arguments go to `misstep serve`.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { buildTypes, buildWeb } from './lib/build-steps.mjs';
import { exitCodeOf } from './lib/run-command.mjs';
import { checkServeArguments } from './lib/serve-options.mjs';
import { setUp } from './lib/set-up.mjs';
import { rootFolder, runScript, say } from './lib/words.mjs';

/**
 * @param {string[]} args
 * @returns {Promise<number>}
 */
function serve(args) {
  const entry = path.join(rootFolder, 'apps', 'cli', 'bin', 'misstep.js');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [entry, 'serve', '--demo', '--open', ...args], {
      stdio: 'inherit',
    });
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
      process.on(signal, () => {
        // A terminal sends Ctrl-C to both of us: passing it on would make it two.
        if (signal === 'SIGINT' && process.stdin.isTTY) return;
        child.kill(signal);
      });
    }
    // npm passes a signal only to the shell between us, which goes without a word to us.
    if (process.env.npm_lifecycle_event === 'start') {
      const parent = process.ppid;
      setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 500).unref();
    }
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(exitCodeOf(code, signal)));
  });
}

await runScript(async () => {
  checkServeArguments(process.argv.slice(2));
  await setUp();
  say('Compiling what changed ...');
  await buildTypes();
  await buildWeb();
  return serve(process.argv.slice(2));
});
