import { resolve } from 'node:path';
import type { MisstepError } from '@misstep/model';
import { type Command, takePositionals, textOption, UsageError } from '../command.ts';
import { describeOutcome, outcomeLine } from '../import-files.ts';
import { tell, writeJson, writeWords } from '../terminal/terminal.ts';
import { counted, visible } from '../terminal/visible.ts';

const WORDS = {
  new: 'New. ',
  grown: 'Grown. ',
  replaced: 'Cut or written anew, so a recording of its own. ',
  failed: '',
} as const;

export const watchCommand: Command = {
  name: 'watch',
  summary: 'Import new and grown files of a folder as they settle, until stopped with Ctrl-C.',
  usage: '[FOLDER]',
  options: {
    existing: { type: 'boolean', text: 'Import what is in it already, too.' },
    format: {
      type: 'string',
      value: 'ID',
      text: 'Read the files as this format instead of the one that their content suggests.',
    },
    keep: { type: 'boolean', text: 'Follow it whenever `misstep serve` runs, and end.' },
    forget: { type: 'boolean', text: 'Follow it no more, and end. What was imported stays.' },
  },
  async run(input) {
    const { terminal, positionals, options, json, signal } = input;
    const { follows, imports } = await input.services();
    const format = textOption(options, 'format');
    const known = imports.formats().map(({ id }) => id);
    if (format !== null && !known.includes(format)) {
      throw new UsageError(`--format must be one of ${known.join(', ')}.`);
    }
    if (options.keep === true && options.forget === true) {
      throw new UsageError('--keep and --forget exclude each other.');
    }
    if (options.keep === true && format !== null) {
      throw new UsageError('--format is not kept: a kept folder is read by content.');
    }
    if (positionals.length === 0) {
      const { folders } = await follows.list();
      for (const folder of folders) {
        if (json) writeJson(terminal, kept(folder));
        else writeWords(terminal, `${visible(folder.path)}\n`);
      }
      if (folders.length === 0) tell(terminal, 'No folder is followed.');
      return 0;
    }
    const [path = ''] = takePositionals(input, 'FOLDER');
    if (options.keep === true) {
      const folder = await follows.follow({ path }, options.existing === true);
      if (json) writeJson(terminal, kept(folder));
      else tell(terminal, `${visible(folder.path)} is followed while \`misstep serve\` runs.`);
      return 0;
    }
    if (options.forget === true) {
      const { folders } = await follows.list();
      const found = folders.find((folder) => folder.path === resolve(path));
      if (found !== undefined) await follows.unfollow(found.id);
      if (json) writeJson(terminal, { path: resolve(path), wasFollowed: found !== undefined });
      else tell(terminal, found === undefined ? 'It was not followed.' : 'It is followed no more.');
      return found === undefined ? 1 : 0;
    }
    await follows.watch(path, {
      existing: options.existing === true,
      format,
      signal,
      onStart: (fileCount) =>
        tell(
          terminal,
          `Watching ${visible(path)}, ${counted(fileCount, 'file')} left as they are.`,
        ),
      onRead: ({ change, outcome }) => {
        if (json) writeJson(terminal, { change, ...outcomeLine(outcome) });
        else writeWords(terminal, `${WORDS[change]}${describeOutcome(outcome)}`);
      },
      onPresence: (isThere) =>
        tell(
          terminal,
          isThere
            ? `${visible(path)} is back, and watched again.`
            : `${visible(path)} is not there any more; it is watched again once it is back.`,
        ),
      onError: ({ message }: MisstepError) => tell(terminal, `misstep: ${visible(message)}`),
    });
    return 0;
  },
};

function kept(folder: { id: string; path: string; foundId: string | null; followedAt: string }) {
  const { id, path, foundId, followedAt } = folder;
  return { id, path, foundId, followedAt };
}
