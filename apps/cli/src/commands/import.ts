import { collectFiles } from '../collect-files.ts';
import { type Command, textOption, UsageError } from '../command.ts';
import { importAndReport } from '../import-files.ts';
import { tell } from '../terminal/terminal.ts';
import { visible } from '../terminal/visible.ts';

export const importCommand: Command = {
  name: 'import',
  summary: 'Read recordings: files, folders with all that is in them, or - for standard input.',
  usage: 'PATH...',
  options: {
    format: {
      type: 'string',
      value: 'ID',
      text: 'Read them as this format instead of the one that their content suggests.',
    },
  },
  async run(input) {
    const { terminal, positionals, options, signal } = input;
    if (positionals.length === 0) throw new UsageError('PATH is missing.');
    const files = await collectFiles(positionals, terminal.stdin, signal, (path, why) =>
      tell(terminal, `Skipped ${visible(path)}: ${why}.`),
    );
    if (files.length === 0) {
      tell(terminal, 'There are no files in it.');
      return 1;
    }
    return importAndReport(input, files, textOption(options, 'format'));
  },
};
