import { MisstepError } from '@misstep/model';
import { runCommandLine } from './run-command-line.ts';

// No data may reach the prototype of all objects, not even through a fault in a dependency.
Reflect.deleteProperty(Object.prototype, '__proto__');

const controller = new AbortController();
let asked = 0;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    asked += 1;
    // The second time the person means it.
    if (asked > 1) process.exit(1);
    controller.abort(new MisstepError('INTERNAL', `Stopped by ${signal}.`));
  });
}
// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', (error) => {
  if ('code' in error && error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await runCommandLine(
  process.argv.slice(2),
  {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    environment: process.env,
    platform: process.platform,
  },
  controller.signal,
);
// Standard input that was opened but not read to its end would keep the process.
process.stdin.unref?.();
