import type { SourceOutcome } from '@misstep/server';
import { collectFiles } from '../collect-files.ts';
import { type Command, textOption, UsageError } from '../command.ts';
import { InOrder } from '../in-order.ts';
import { type Terminal, tell, writeJson, writeWords } from '../terminal/terminal.ts';
import { counted, visible } from '../terminal/visible.ts';

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
    const { terminal, positionals, options, json, signal } = input;
    if (positionals.length === 0) throw new UsageError('PATH is missing.');
    const files = await collectFiles(positionals, terminal.stdin, signal, (path, why) =>
      tell(terminal, `Skipped ${visible(path)}: ${why}.`),
    );
    if (files.length === 0) {
      tell(terminal, 'There are no files in it.');
      return 1;
    }
    const services = await input.services();
    const format = textOption(options, 'format');
    const known = services.imports.formats().map(({ id }) => id);
    if (format !== null && !known.includes(format)) {
      throw new UsageError(`--format must be one of ${known.join(', ')}.`);
    }
    const progress = new ProgressLine(terminal);
    const report = new InOrder<SourceOutcome>(
      files.map(({ path }) => path),
      ({ path }) => path,
      (outcome) => {
        if (json) writeJson(terminal, outcomeLine(outcome));
        else writeWords(terminal, describeOutcome(outcome));
      },
    );
    const outcomes = await services.imports.importFiles(files, {
      format,
      signal,
      onProgress: ({ phase, bytes, steps }) =>
        progress.show(
          phase === 'receiving' ? `${bytes} bytes taken in` : `${bytes} bytes read, ${steps} steps`,
        ),
      onOutcome: (outcome) => {
        progress.clear();
        report.take(outcome);
      },
    });
    progress.clear();
    report.finish();
    return outcomes.some(({ error }) => error !== null) ? 1 : 0;
  },
};

function outcomeLine({ error, ...outcome }: SourceOutcome) {
  if (error === null) return outcome;
  const { code, message, hint, details } = error;
  return { ...outcome, error: { code, message, hint, details } };
}

function describeOutcome(outcome: SourceOutcome): string {
  const path = visible(outcome.path);
  if (outcome.error !== null) {
    const { message, hint } = outcome.error;
    const named = `${outcome.path} `;
    const words = message.startsWith(named) ? `It ${message.slice(named.length)}` : message;
    const head = `${path}: not imported. ${visible(words)} ${visible(hint)}\n`;
    const saysMore = outcome.issues.some((issue) => issue.message !== message);
    return saysMore ? `${head}${remarksOf(outcome)}\n` : head;
  }
  const { records, runs, format, issues } = outcome;
  const lost = [
    ...((records.setAside ?? 0) > 0 ? [`${records.setAside} set aside`] : []),
    ...(records.notUnderstood > 0 ? [`${records.notUnderstood} not understood`] : []),
    ...(records.malformed > 0 ? [`${records.malformed} malformed`] : []),
  ];
  const tail = lost.length === 0 ? '' : `, ${lost.join(', ')}`;
  const known = outcome.alreadyImported ? ' (known already)' : '';
  const head = `${path}: ${format}${known}, ${counted(records.total, 'record')}${tail}`;
  const lines = runs.map(
    (run) =>
      `  ${run.id}  ${counted(run.steps, 'step')}, ${counted(run.toolCalls, 'tool call')}  ${visible(run.title)}`,
  );
  const noted = issues.length === 0 ? [] : [remarksOf(outcome)];
  return `${[head, ...lines, ...noted].join('\n')}\n`;
}

function remarksOf({ issues }: SourceOutcome): string {
  return `  ${counted(issues.length, 'remark')}; with --json in full`;
}

/** One line that overwrites itself, only where somebody watches. */
class ProgressLine {
  readonly #terminal: Terminal;
  #shownAtMs = 0;
  #isShown = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show(text: string): void {
    const nowMs = performance.now();
    if (this.#terminal.stderr.isTTY !== true || nowMs - this.#shownAtMs < 100) return;
    this.#shownAtMs = nowMs;
    this.#isShown = true;
    this.#terminal.stderr.write(`\r\x1b[2K${text}`);
  }

  clear(): void {
    if (this.#isShown) this.#terminal.stderr.write('\r\x1b[2K');
    this.#isShown = false;
  }
}
