import type { Services } from '@misstep/server';
import { type Command, UsageError } from '../command.ts';
import { findRun } from '../find-run.ts';
import { writeJson, writeWords } from '../terminal/terminal.ts';
import { visible } from '../terminal/visible.ts';

export const wireCommand: Command = {
  name: 'wire',
  summary: 'Join a wire recording to a transcript of the same conversation; alone, tell which.',
  usage: 'RUN [WIRE-RUN]',
  options: {
    remove: { type: 'boolean', text: 'Take the wire recording away; both runs stay.' },
  },
  async run({ terminal, json, positionals, options, services }) {
    const [givenRun, givenWire, surplus] = positionals;
    if (givenRun === undefined) throw new UsageError('RUN is missing.');
    if (surplus !== undefined) throw new UsageError(`"${surplus}" is one word too many.`);
    if (options.remove === true && givenWire !== undefined) {
      throw new UsageError('--remove takes no WIRE-RUN.');
    }
    const opened = await services();
    const runId = await findRun(opened, givenRun);
    if (options.remove === true) {
      const { removed } = await opened.wires.remove(runId);
      if (json) writeJson(terminal, { type: 'wire', runId, wireRun: null, removed });
      else {
        writeWords(
          terminal,
          removed ? 'The wire recording is taken away.\n' : 'There was no wire recording.\n',
        );
      }
      return 0;
    }
    const join =
      givenWire === undefined
        ? await opened.wires.tell(runId)
        : await opened.wires.join(runId, await findRun(opened, givenWire));
    if (json) writeJson(terminal, { type: 'wire', runId, ...join });
    else writeWords(terminal, describeJoin(join));
    return 0;
  },
};

type WireJoin = Awaited<ReturnType<Services['wires']['tell']>>;

function describeJoin({ wireRun, pairedCount, calls, wireAlone }: WireJoin): string {
  if (wireRun === null) return 'No wire recording is joined: misstep wire RUN WIRE-RUN\n';
  const width = Math.max(0, ...calls.map(({ tool }) => visible(tool).length));
  const lines = calls.map(({ seq, tool, wire, by, remark }) => {
    const words = [
      wire === null ? null : `wire step ${wire.seq}`,
      by === 'arguments' ? 'same tool and arguments' : null,
      remark,
    ].filter((word) => word !== null);
    return `  step ${String(seq).padStart(3)}  ${visible(tool).padEnd(width)}  ${words.join(', ')}`;
  });
  return [
    `${wireRun.id}  ${visible(wireRun.title)}`,
    `${pairedCount} of ${calls.length} ${calls.length === 1 ? 'call' : 'calls'} found on the wire. Which is which is worked out by Misstep, not recorded.`,
    ...lines,
    ...wireAlone.map(({ seq, tool }) => `  on the wire only: step ${seq}, ${visible(tool)}`),
    '',
  ].join('\n');
}
