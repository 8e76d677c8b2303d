import { parseArgs } from 'node:util';
import { StepFailed } from './words.mjs';

/**
 * What `misstep serve` takes; a test holds it against the command itself. It stands here too because
 * the command can't be asked before it is built.
 * @type {import('node:util').ParseArgsConfig['options']}
 */
export const serveOptions = {
  port: { type: 'string' },
  open: { type: 'boolean' },
  demo: { type: 'boolean' },
  data: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
};

/**
 * Refuses what `misstep serve` would refuse, before anything is installed.
 * @param {string[]} args
 */
export function checkServeArguments(args) {
  try {
    parseArgs({ args, options: serveOptions, allowPositionals: false });
  } catch (error) {
    const words = error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error);
    const known = Object.keys(serveOptions ?? {}).map((name) => `--${name}`);
    throw new StepFailed(`${words}. Nothing was installed or started.`, {
      next: `npm start -- takes ${known.join(', ')}.`,
    });
  }
}
