import { readdirSync } from 'node:fs';
import { endingOf, replayOnce, stdioTarget } from './replay-once.ts';

// A process of its own: `replay-run.test.ts` counts open files in it, which the threads of one test
// run share. Prints `{ outcomes, left }`: distinct outcomes of 50 replays, file descriptors they left.

const openFiles = (): number => readdirSync('/proc/self/fd').length;
const outcomes = new Set<string>();

// The first replay opens what a process opens once.
outcomes.add(endingOf(await replayOnce(stdioTarget('echo'))).outcome);
const before = openFiles();
for (let round = 0; round < 10; round += 1) {
  const five = Array.from({ length: 5 }, () => replayOnce(stdioTarget('echo')));
  for (const replayed of await Promise.all(five)) outcomes.add(endingOf(replayed).outcome);
}
process.stdout.write(JSON.stringify({ outcomes: [...outcomes], left: openFiles() - before }));
