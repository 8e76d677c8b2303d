import { adviceOn } from '@misstep/model';
import type { ImportInputFile, SourceOutcome } from '@misstep/server';
import { type CommandInput, UsageError } from './command.ts';
import { InOrder } from './in-order.ts';
import { ProgressLine } from './terminal/progress-line.ts';
import { writeJson, writeWords } from './terminal/terminal.ts';
import { counted, visible } from './terminal/visible.ts';

/** So many say where it was; with a folder there may be a hundred thousand. */
const MOST_NAMED = 3;
/** Kinds of remarks whose next step is told of one file. */
const MOST_KINDS = 5;

/** Imports files as one batch and reports each as soon as its turn has come; the exit code. */
export async function importAndReport(
  input: Pick<CommandInput, 'terminal' | 'json' | 'signal' | 'services' | 'activity'>,
  files: readonly ImportInputFile[],
  format: string | null,
): Promise<0 | 1> {
  const { terminal, json, signal } = input;
  const services = await input.services();
  const known = services.imports.formats().map(({ id }) => id);
  if (format !== null && !known.includes(format)) {
    throw new UsageError(`--format must be one of ${known.join(', ')}.`);
  }
  const totalBytes = files.reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0);
  const progress = new ProgressLine(terminal, totalBytes, files.length);
  const report = new InOrder<SourceOutcome>(
    files.map(({ path }) => path),
    ({ path }) => path,
    (outcome) => {
      if (json) writeJson(terminal, outcomeLine(outcome));
      else writeWords(terminal, describeOutcome(outcome));
    },
  );
  const pending = new Set(files.map(({ path }) => path));
  input.activity.is(() => describePending(files.length, pending));
  let hasFailed = false;
  await services.imports.importFiles(files, {
    format,
    signal,
    onlyTold: true,
    onProgress: (state) => progress.show(state),
    onOutcome: (outcome) => {
      progress.countFile();
      progress.clear();
      pending.delete(outcome.path);
      hasFailed ||= outcome.error !== null;
      report.take(outcome);
    },
  });
  progress.clear();
  report.finish();
  return hasFailed ? 1 : 0;
}

function describePending(all: number, pending: ReadonlySet<string>): string {
  const named = [...pending].slice(0, MOST_NAMED).map(visible).join(', ');
  const more = pending.size > MOST_NAMED ? ` and ${pending.size - MOST_NAMED} more` : '';
  const done = `importing, ${all - pending.size} of ${counted(all, 'file')} done`;
  return named === '' ? done : `${done}, to be read: ${named}${more}`;
}

/** One line of `misstep import --json`; the parts of a container have the same shape. */
export function outcomeLine({ error, parts, ...outcome }: SourceOutcome): object {
  const line = { ...outcome, ...(parts === undefined ? {} : { parts: parts.map(outcomeLine) }) };
  if (error === null) return line;
  const { code, message, hint, details } = error;
  return { ...line, error: { code, message, hint, details } };
}

export function describeOutcome(outcome: SourceOutcome): string {
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
  const aside = issues.find(({ code }) => code === 'LEFT_ASIDE');
  if (aside !== undefined && issues.length === 1)
    return `${path}: ${visible(lowered(aside.message))}\n`;
  const lost = [
    ...((records.setAside ?? 0) > 0 ? [`${records.setAside} set aside`] : []),
    ...(records.notUnderstood > 0 ? [`${records.notUnderstood} not understood`] : []),
    ...(records.malformed > 0 ? [`${records.malformed} malformed`] : []),
  ];
  const tail = lost.length === 0 ? '' : `, ${lost.join(', ')}`;
  const known = outcome.alreadyImported ? ' (known already)' : '';
  // Nothing was counted of a copy for which a longer one stands.
  const isEarlierCopy = issues.some(({ code }) => code === 'LONGER_COPY_KNOWN');
  const count = isEarlierCopy ? 'an earlier copy of it' : counted(records.total, 'record');
  const head = `${path}: ${format}${known}, ${count}${tail}`;
  const lines = runs.map(
    (run) =>
      `  ${run.id}  ${counted(run.steps, 'step')}, ${counted(run.toolCalls, 'tool call')}  ${visible(run.title)}`,
  );
  const none = issues.find(({ code }) => code === 'NO_RUN');
  if (none !== undefined) lines.push(`  ${visible(none.message)}`);
  const noted = issues.length === 0 ? [] : [remarksOf(outcome)];
  return `${[head, ...lines, ...noted].join('\n')}\n`;
}

/** How many there are, and for each kind what to do; the texts and places are in the JSON. */
function remarksOf({ issues }: SourceOutcome): string {
  const kinds = [...new Set(issues.map(({ code }) => code))];
  const lines = kinds.slice(0, MOST_KINDS).map((code) => {
    const count = issues.filter((issue) => issue.code === code).length;
    return `    ${code}${count > 1 ? ` (${count})` : ''}: ${adviceOn(code) ?? 'see docs/formats'}`;
  });
  const more = kinds.length - lines.length;
  return [
    `  ${counted(issues.length, 'remark')}; with --json in full`,
    ...lines,
    ...(more > 0 ? [`    and ${counted(more, 'more kind')}`] : []),
  ].join('\n');
}

function lowered(sentence: string): string {
  return `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`;
}
