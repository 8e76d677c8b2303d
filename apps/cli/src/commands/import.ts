import { MisstepError } from '@misstep/model';
import { collectFiles } from '../collect-files.ts';
import { type Command, textOption, UsageError } from '../command.ts';
import { importAndReport } from '../import-files.ts';
import { tell } from '../terminal/terminal.ts';
import { visible } from '../terminal/visible.ts';

const HINT = 'Give a file, or a folder that holds recordings.';

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
    const onSkipped = (path: string, why: string) =>
      tell(terminal, `Skipped ${visible(path)}: ${why}.`);
    const empty: string[] = [];
    const files = await collectFiles(positionals, terminal.stdin, signal, {
      onSkipped,
      onEmpty: (folder) => empty.push(folder),
    });
    if (files.length === 0) {
      const message = `There are no files in ${empty.join(', ')}.`;
      throw new MisstepError('IMPORT_UNREADABLE', message, { folders: empty }, { hint: HINT });
    }
    for (const folder of empty) onSkipped(folder, 'there are no files in it');
    return importAndReport(input, files, textOption(options, 'format'));
  },
};
