import { MisstepError } from '@misstep/model';
import { Activity } from './activity.ts';
import { guardEnd } from './guard-end.ts';
import { runCommandLine } from './run-command-line.ts';

// No data may reach the prototype of all objects, not even through a fault in a dependency.
Reflect.deleteProperty(Object.prototype, '__proto__');

const controller = new AbortController();
/** How long an orderly end may take. */
const END_DEADLINE_MS = 5000;
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
/** The signal that asked it to end. */
const stopped: (keyof typeof EXIT_CODES)[] = [];
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    const end = () => {
      // An open that hangs in the system holds up even this; the next signal then ends it hard.
      for (const each of Object.keys(EXIT_CODES)) process.removeAllListeners(each);
      process.exit(EXIT_CODES[signal]);
    };
    // The second time the person means it.
    if (controller.signal.aborted) end();
    setTimeout(end, END_DEADLINE_MS).unref();
    stopped.push(signal);
    controller.abort(new MisstepError('STOPPED', `Stopped by ${signal}.`, { signal }));
  });
}
// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', (error) => {
  if ('code' in error && error.code === 'EPIPE') process.exit(0);
  throw error;
});

const words = process.argv.slice(2);
const activity = new Activity();
const terminal = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  platform: process.platform,
};
const letGo = guardEnd(process, terminal, words, activity);
const exitCode = await runCommandLine(words, terminal, controller.signal, activity);
letGo();
const [signal] = stopped;
// `serve` and `watch` have done their work when they are stopped; others have not.
process.exitCode = exitCode === 1 && signal !== undefined ? EXIT_CODES[signal] : exitCode;
// Standard input that was opened but not read to its end would keep the process.
process.stdin.unref?.();
