import { type Command, takePositionals, textOption, UsageError } from '../command.ts';
import { experimentLine, experimentRows } from '../describe-experiment.ts';
import { findRun } from '../find-run.ts';
import { writeNewFile } from '../new-file.ts';
import { formatTable } from '../terminal/table.ts';
import { tell, writeJson, writeWords } from '../terminal/terminal.ts';
import { shorten, visible } from '../terminal/visible.ts';

const LIST_AT_MOST = 1000;

export const experimentListCommand: Command = {
  name: 'experiment list',
  summary: 'List experiments, newest first: what each asked, how far it came, what is known.',
  usage: '[RUN]',
  options: {},
  async run(input) {
    const { terminal, json, positionals } = input;
    const [given, surplus] = positionals;
    if (surplus !== undefined) throw new UsageError(`"${surplus}" is one word too many.`);
    const services = await input.services();
    const runId = given === undefined ? undefined : await findRun(services, given);
    const { total, experiments } = await services.experiments.list({ runId, limit: LIST_AT_MOST });
    if (json) {
      for (const each of experiments) writeJson(terminal, each);
    } else {
      writeWords(
        terminal,
        formatTable(
          experiments.map((each) => [
            each.id,
            each.kind,
            each.state,
            `${each.sentCount} of ${each.callCount}`,
            shorten(`${each.tool}, step ${each.stepSeq}`, 40),
            shorten(each.sentence, 100),
          ]),
        ),
      );
      if (experiments.length < total)
        tell(terminal, `The newest ${experiments.length} of ${total}.`);
    }
    return 0;
  },
};

export const experimentShowCommand: Command = {
  name: 'experiment show',
  summary: 'Show an experiment as far as it came: its plan, each call, what is known.',
  usage: 'EXPERIMENT',
  options: {},
  async run(input) {
    const { terminal, json } = input;
    const [given = ''] = takePositionals(input, 'EXPERIMENT');
    const { experiments } = await input.services();
    const experiment = await experiments.get(await experiments.find(given));
    if (json) {
      writeJson(terminal, experimentLine(experiment));
      return 0;
    }
    const { plan, matrix, state, reason, sentCount, sends } = experiment;
    const order = sends.map((send) => [String(send.ordinal), visible(send.label), send.outcome]);
    writeWords(
      terminal,
      [
        `Plan: ${visible(plan.sentence)}\n`,
        `${sentCount} of ${plan.callCount} calls, ${state}.${reason === null ? '' : ` ${visible(reason)}`}\n\n`,
        experimentRows(experiment),
        `\n${visible(matrix.sentence)}\n`,
        `\nThis does not show:\n${matrix.notShown.map((each) => `- ${visible(each)}\n`).join('')}`,
        order.length === 0 ? '' : `\nOrder of sends:\n${formatTable(order)}`,
      ].join(''),
    );
    return 0;
  },
};

export const experimentExportCommand: Command = {
  name: 'experiment export',
  summary: 'Write an experiment as JSON, as CSV or Markdown table, or the frames of a race.',
  usage: 'EXPERIMENT --as FORM',
  options: {
    as: { type: 'string', value: 'FORM', text: 'json, csv, markdown or frames.' },
    out: {
      type: 'string',
      value: 'FILE',
      text: 'Where to, a new file; standard output if not given.',
    },
  },
  async run(input) {
    const { terminal, options, json } = input;
    const [given = ''] = takePositionals(input, 'EXPERIMENT');
    const as = textOption(options, 'as');
    if (as !== 'json' && as !== 'csv' && as !== 'markdown' && as !== 'frames') {
      throw new UsageError('--as is json, csv, markdown or frames.');
    }
    const out = textOption(options, 'out');
    if (json && out === null) throw new UsageError('With --json, --out FILE is needed.');
    if (as === 'frames' && out === null && terminal.stdout.isTTY === true) {
      throw new UsageError('Bytes are not written to a terminal: give --out FILE, or pipe them.');
    }
    const { experiments } = await input.services();
    const id = await experiments.find(given);
    const { bytes, notes } = await experiments.export(id, as);
    for (const note of notes) tell(terminal, visible(note));
    if (out === null) {
      terminal.stdout.write(bytes);
      return 0;
    }
    await writeNewFile(out, bytes);
    if (json) writeJson(terminal, { id, as, path: out, sizeBytes: bytes.length, notes });
    else tell(terminal, `Wrote ${visible(out)}, ${bytes.length} bytes.`);
    return 0;
  },
};
