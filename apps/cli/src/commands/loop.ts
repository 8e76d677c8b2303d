import { type Command, UsageError } from '../command.ts';
import { describeDuration } from '../describe-run.ts';
import { formatTable } from '../terminal/table.ts';
import { writeJson, writeWords } from '../terminal/terminal.ts';
import { counted, visible } from '../terminal/visible.ts';

export const loopCommand: Command = {
  name: 'loop',
  summary:
    'What finding it out has cost: direct calls, time from edit to answer, runs that reached the tool.',
  usage: '',
  options: {},
  async run({ terminal, json, positionals, services }) {
    if (positionals[0] !== undefined)
      throw new UsageError(`"${positionals[0]}" is one word too many.`);
    const loop = await (await services()).loop.read();
    if (json) {
      writeJson(terminal, loop);
      return 0;
    }
    const { directCalls, editToAnswer, cases } = loop;
    const { medianMs, measuredCount, editedCount } = editToAnswer;
    const rows = cases.flatMap(({ name, runCount, tools }) =>
      tools.length === 0
        ? [[name, counted(runCount, 'run'), 'no tool was called directly']]
        : tools.map(({ tool, reachedRunCount, directCallCount }) => [
            name,
            `${reachedRunCount} of ${counted(runCount, 'run')} reached ${visible(tool)}`,
            counted(directCallCount, 'direct call'),
          ]),
    );
    writeWords(
      terminal,
      [
        `${counted(directCalls.total, 'direct call')}, ${directCalls.inExperiments} of them in experiments.\n`,
        medianMs === null
          ? 'Edit to answer: not measured; the Replay screen of the app measures it.\n'
          : `Edit to answer: ${describeDuration(medianMs * 1e6)} in the median of ${counted(measuredCount, 'call')}, ${editedCount} edited.\n`,
        cases.length === 0
          ? 'No case: tag the runs of the agent on one case with case:NAME to see how many reached the tool.\n'
          : formatTable(rows),
      ].join(''),
    );
    return 0;
  },
};
