import { type Command, takePositionals, textOption } from '../command.ts';
import { comparisonLines, writeComparisonRows } from '../describe-comparison.ts';
import { tell, writeJson, writeWords } from '../terminal/terminal.ts';

export const compareCommand: Command = {
  name: 'compare',
  summary: 'Show how the answer of a replay compares with the recording, without volatile fields.',
  usage: 'REPLAY',
  options: {
    ignore: {
      type: 'string',
      value: 'RULES',
      text: 'timestamps, ids, cursors, durations or patterns like /items/*/etag, with commas.',
    },
    kept: { type: 'boolean', text: 'Also the rules that were kept for this tool on the screen.' },
  },
  async run(input) {
    const { terminal, options, json } = input;
    const [given = ''] = takePositionals(input, 'REPLAY');
    const ignore = (textOption(options, 'ignore') ?? '').split(',').filter((rule) => rule !== '');
    const services = await input.services();
    const id = await services.receipts.find(given);
    const kept = options.kept === true ? (await services.comparisons.showRuled(id)).rules : [];
    const rules = [...new Set([...kept, ...ignore])];
    const comparison = await services.comparisons.show(id, rules);
    if (json) writeJson(terminal, { id, rules, comparison });
    else if (comparison === null) tell(terminal, 'No answer came, so nothing was compared.');
    else {
      writeWords(
        terminal,
        comparisonLines(comparison)
          .map((line) => `${line}\n`)
          .join(''),
      );
      writeComparisonRows(terminal, comparison);
    }
    return comparison === null ? 1 : 0;
  },
};
