import type { Activity } from './activity.ts';
import { type Terminal, tell, writeJson } from './terminal/terminal.ts';
import { visible } from './terminal/visible.ts';

/** Of `process`, what the guard needs. */
export interface EndingProcess {
  exitCode?: number | string | null | undefined;
  once(event: 'beforeExit', listener: () => void): unknown;
  off(event: 'beforeExit', listener: () => void): unknown;
}

/**
 * Node ends a program without a word once nothing is left that could go on, even where something is
 * still waited for. Says so instead, with exit code 1. The function that is given lets go again.
 */
export function guardEnd(
  process: EndingProcess,
  terminal: Terminal,
  words: readonly string[],
  activity: Activity,
): () => void {
  const onEnd = () => {
    process.exitCode = 1;
    const message = `The command ended before its work was done: what it waited for never came. Where it was: ${activity.words}.`;
    const hint = 'This is a fault of Misstep. What was printed before is done; the rest is not.';
    if (asksForJson(words)) {
      writeJson(terminal, { error: { code: 'INTERNAL', message, hint, details: {} } });
    }
    tell(terminal, `misstep: ${visible(message)} ${hint}`);
  };
  process.once('beforeExit', onEnd);
  return () => {
    process.off('beforeExit', onEnd);
  };
}

function asksForJson(words: readonly string[]): boolean {
  const dashes = words.indexOf('--');
  return (dashes < 0 ? words : words.slice(0, dashes)).includes('--json');
}
