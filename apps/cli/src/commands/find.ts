import { homedir } from 'node:os';
import { createFindService, inputOf } from '@misstep/server';
import { type Command, takePositionals, textOption, textOptions, UsageError } from '../command.ts';
import { importAndReport } from '../import-files.ts';
import { formatTable } from '../terminal/table.ts';
import { tell, writeJson, writeWords } from '../terminal/terminal.ts';
import { counted, visible } from '../terminal/visible.ts';

export const findCommand: Command = {
  name: 'find',
  summary: 'List what installed agents keep on this machine; imported only with --import.',
  usage: '',
  options: {
    import: { type: 'boolean', text: 'Import what was found.' },
    only: {
      type: 'string',
      value: 'ID',
      multiple: true,
      text: 'Only this folder, by its id in the list; may be given several times.',
    },
    since: { type: 'string', value: 'TIME', text: 'Import what changed at that time or later.' },
  },
  async run(input) {
    const { terminal, options, json, signal } = input;
    takePositionals(input);
    const sinceMs = readTime(textOption(options, 'since'));
    if (sinceMs !== null && options.import !== true)
      throw new UsageError('--since is for --import.');
    const { environment, platform } = terminal;
    const finder = createFindService({
      platform,
      environment,
      home: environment[platform === 'win32' ? 'USERPROFILE' : 'HOME'] ?? homedir(),
    });
    const only = textOptions(options, 'only');
    for (const id of only) finder.placeOf(id);
    const all = await finder.find(signal);
    const found = all.filter(({ id }) => only.length === 0 || only.includes(id));
    if (options.import === true) {
      const ids = found.filter(({ format }) => format !== null).map(({ id }) => id);
      const files = await finder.filesOf(ids, sinceMs, signal);
      for (const { id, format, note } of found) {
        if (format === null) tell(terminal, `Left out ${id}: ${note}`);
      }
      if (files.length > 0) return importAndReport(input, files.map(inputOf), null);
      // For a job that runs each night that is how most nights end.
      const kept = found.filter(({ format, fileCount }) => format !== null && fileCount > 0);
      if (sinceMs !== null && kept.length > 0) {
        tell(terminal, 'Nothing changed at that time or later.');
        for (const each of kept) {
          for (const remark of remarksOf(each)) tell(terminal, `${each.id}: ${remark}`);
        }
        return 0;
      }
      tell(terminal, 'There is no recording to import.');
      return 1;
    }
    if (json) for (const folder of found) writeJson(terminal, folder);
    else if (found.length === 0) tell(terminal, 'None of the known agents keeps anything here.');
    else {
      const rows = found.map((each) => [
        each.id,
        each.client,
        `${each.fileCount}`,
        `${(each.sizeBytes / 1e6).toFixed(1)} MB`,
        each.newestAt?.slice(0, 16).replace('T', ' ') ?? '-',
        visible(each.folder),
      ]);
      const head = ['ID', 'CLIENT', 'FILES', 'SIZE', 'NEWEST (UTC)', 'FOLDER'];
      writeWords(terminal, formatTable([head, ...rows], new Set([2, 3])));
      for (const each of found) {
        for (const remark of remarksOf(each)) tell(terminal, `${each.id}: ${remark}`);
      }
      tell(terminal, 'Nothing was opened. `misstep find --import` imports it.');
    }
    return 0;
  },
};

function remarksOf(found: {
  note: string | null;
  linkCount: number;
  unreadableCount: number;
  isCut: boolean;
}): string[] {
  const { note, linkCount, unreadableCount, isCut } = found;
  return [
    ...(note === null ? [] : [note]),
    ...(linkCount === 0 ? [] : [`${counted(linkCount, 'link')} not followed.`]),
    ...(unreadableCount === 0 ? [] : [`${unreadableCount} could not be looked at.`]),
    ...(isCut ? ['It was too large to be looked through; there may be more.'] : []),
  ];
}

function readTime(text: string | null): number | null {
  if (text === null) return null;
  const ms = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(ms)) return ms;
  throw new UsageError('--since must be a date or a time such as 2026-11-30T08:00:00Z.');
}
