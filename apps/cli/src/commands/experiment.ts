import { existsSync } from 'node:fs';
import type { RunId, StepId } from '@misstep/model';
import type { PreparedExperiment, Services } from '@misstep/server';
import { DEFAULT_TIMEOUT_MS, readArguments, readTargetName, readTimeout } from '../call-options.ts';
import {
  type Command,
  type CommandInput,
  type CommandOption,
  takePositionals,
  textOption,
  UsageError,
} from '../command.ts';
import { describeDuration } from '../describe-run.ts';
import { findRun, findStep } from '../find-run.ts';
import { ask } from '../terminal/ask.ts';
import { formatTable } from '../terminal/table.ts';
import { tell, writeJson, writeWords } from '../terminal/terminal.ts';
import { shorten, visible } from '../terminal/visible.ts';

const COMMON: Readonly<Record<string, CommandOption>> = {
  target: { type: 'string', value: 'NAME', text: 'The confirmed target to send to.' },
  arguments: {
    type: 'string',
    value: 'FILE',
    text: 'Arguments of A instead of the recorded ones.',
  },
  timeout: {
    type: 'string',
    value: 'MS',
    text: `How long to wait for each call, in milliseconds: ${DEFAULT_TIMEOUT_MS} if not given.`,
  },
  yes: { type: 'boolean', text: 'Send the whole plan: its calls may change things at the server.' },
};

export const experimentRepeatCommand: Command = {
  name: 'experiment repeat',
  summary: 'Send the same call several times: are the answers the same, and what in them moves?',
  usage: 'RUN STEP --target NAME',
  options: {
    ...COMMON,
    times: { type: 'string', value: 'N', text: 'From 2 to 100; 5 if not given.' },
  },
  async run(input) {
    const times = readCount(input, 'times', 5, 2, 100);
    const { common, services, call } = await readCall(input, false);
    const prepared = await services.experiments.repeat({ ...common, call, times });
    return perform(input, prepared, ({ rows }) =>
      rows.map(({ outcome, callDurationNs, sameBytesAs, replayId }, index) => [
        String(index + 1),
        outcome,
        describeDuration(callDurationNs),
        sameBytesAs === index + 1 ? '' : `same bytes as ${sameBytesAs}`,
        replayId ?? '',
      ]),
    );
  },
};

export const experimentRaceCommand: Command = {
  name: 'experiment race',
  summary: 'Send calls at once: crossed answers, order, errors, latencies.',
  usage: 'RUN STEP [STEP_B] --target NAME',
  options: {
    ...COMMON,
    'arguments-b': { type: 'string', value: 'FILE', text: 'Arguments of a second call B.' },
    'at-once': { type: 'string', value: 'N', text: 'From 2 to 50; 8 if not given.' },
    connections: { type: 'string', value: 'HOW', text: 'one (if not given) or each.' },
    frames: { type: 'string', value: 'FILE', text: 'A new frame log of the calls at once.' },
  },
  async run(input) {
    const atOnce = readCount(input, 'at-once', 8, 2, 50);
    const given = textOption(input.options, 'connections') ?? 'one';
    if (given !== 'one' && given !== 'each') throw new UsageError('--connections is one or each.');
    const framesPath = textOption(input.options, 'frames');
    if (framesPath !== null && existsSync(framesPath)) {
      throw new UsageError(`--frames: ${framesPath} exists already.`);
    }
    const { common, services, call, second } = await readCall(input, true);
    const prepared = await services.experiments.race({
      ...common,
      a: call,
      b: second,
      atOnce,
      connections: given,
      framesPath,
    });
    return perform(input, prepared, ({ rows }) =>
      rows.map((row) => [
        row.label,
        row.connection,
        row.outcome,
        describeDuration(row.callDurationNs),
        row.answerOrder === null ? '' : `answer ${row.answerOrder}`,
        row.crossedWith === null ? '' : `got the answer of ${row.crossedWith}`,
      ]),
    );
  },
};

export const experimentAttributeCommand: Command = {
  name: 'experiment attribute',
  summary: 'Two calls with different outcomes: which of the arguments makes the difference?',
  usage: 'RUN STEP [STEP_B] --target NAME --by SIGNATURE',
  options: {
    ...COMMON,
    'arguments-b': { type: 'string', value: 'FILE', text: 'Arguments of B instead of a step’s.' },
    by: {
      type: 'string',
      value: 'SIGNATURE',
      text: 'What counts as outcome: error, hash, value:/pointer or count:/pointer.',
    },
    repeats: {
      type: 'string',
      value: 'N',
      text: 'Of A and of B first, from 2 to 20; 3 if not given.',
    },
  },
  async run(input) {
    const repeats = readCount(input, 'repeats', 3, 2, 20);
    const signature = textOption(input.options, 'by');
    if (signature === null) throw new UsageError('--by is missing.');
    const { common, services, call, second } = await readCall(input, true);
    if (second === null) throw new UsageError('STEP_B or --arguments-b is missing.');
    const prepared = await services.experiments.attribute({
      ...common,
      a: call,
      b: second,
      signature,
      repeats,
    });
    return perform(input, prepared, (matrix) => [
      [...matrix.arguments.map(({ name }) => shorten(name, 30)), matrix.signature],
      ...matrix.cells.map(({ key, signature: outcome }) => [...key, shorten(outcome, 60)]),
    ]);
  },
};

interface Call {
  readonly runId: RunId;
  readonly stepId: StepId;
  readonly argumentsText: string | null;
}

async function readCall(
  input: CommandInput,
  mayHaveSecond: boolean,
): Promise<{
  common: { targetName: ReturnType<typeof readTargetName>; timeoutMs: number };
  services: Services;
  call: Call;
  /** From a third word or `--arguments-b`; null where neither is given. */
  second: Call | null;
}> {
  const { options, terminal } = input;
  const [givenRun = '', givenStep = ''] = takePositionals(
    { positionals: mayHaveSecond ? input.positionals.slice(0, 2) : input.positionals },
    'RUN',
    'STEP',
  );
  const [stepB, surplus] = mayHaveSecond ? input.positionals.slice(2) : [];
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is one word too many.`);
  const targetName = readTargetName(textOption(options, 'target'));
  const timeoutMs = readTimeout(textOption(options, 'timeout'));
  const file = textOption(options, 'arguments');
  const fileB = textOption(options, 'arguments-b');
  if (file === '-' && fileB === '-') throw new UsageError('Standard input can be read once only.');
  const argumentsText = file === null ? null : await readArguments(file, terminal.stdin);
  const textB = fileB === null ? null : await readArguments(fileB, terminal.stdin);
  const services = await input.services();
  const runId = await findRun(services, givenRun);
  const steps = await services.store.listSteps(runId);
  const stepId = findStep(steps, givenStep).id;
  const idB = stepB === undefined ? stepId : findStep(steps, stepB).id;
  const hasSecond = stepB !== undefined || textB !== null;
  return {
    common: { targetName, timeoutMs },
    services,
    call: { runId, stepId, argumentsText },
    second: hasSecond ? { runId, stepId: idB, argumentsText: textB } : null,
  };
}

/** Shows the plan, has it confirmed as a whole, runs it, and writes what is known at the end. */
async function perform<Matrix extends { readonly sentence: string }>(
  input: CommandInput,
  prepared: PreparedExperiment<Matrix>,
  rowsOf: (matrix: Matrix) => readonly (readonly string[])[],
): Promise<0 | 1> {
  const { terminal, json, options, signal } = input;
  const { plan, tool, argumentTexts } = prepared;
  tell(terminal, `Plan: ${visible(plan.sentence)}`);
  for (const [index, text] of argumentTexts.entries()) {
    tell(terminal, `${'AB'.charAt(index)}: ${visible(tool)} ${shorten(visible(text), 2000)}`);
  }
  const question = 'Type the tool’s name to send all of it: ';
  const answer = options.yes === true ? tool : await ask(terminal, question, signal);
  if (answer !== null && answer !== tool) {
    tell(terminal, 'Not confirmed, so nothing was sent.');
    return 1;
  }
  const { ending, reason, sentCount, matrix } = await prepared.run({
    // Where nobody could be asked, only a tool that a trusted server calls read-only goes out.
    confirmTool: answer,
    signal,
    onProgress: (sent, label) =>
      tell(terminal, `${sent + 1} of ${plan.callCount}: ${visible(label)}`),
  });
  if (json) writeJson(terminal, { kind: plan.kind, plan, ending, reason, sentCount, matrix });
  else {
    writeWords(terminal, formatTable(rowsOf(matrix)));
    if (reason !== null) writeWords(terminal, `${visible(reason)}\n`);
    const stopped = `Stopped after ${sentCount} of ${plan.callCount} calls. `;
    writeWords(terminal, `${ending === 'stopped' ? stopped : ''}${visible(matrix.sentence)}\n`);
  }
  return ending === 'complete' ? 0 : 1;
}

function readCount(
  { options }: CommandInput,
  name: string,
  standard: number,
  least: number,
  most: number,
): number {
  const given = textOption(options, name);
  if (given === null) return standard;
  const count = Number(given);
  if (/^\d{1,4}$/.test(given) && count >= least && count <= most) return count;
  throw new UsageError(`--${name} must be a number from ${least} to ${most}.`);
}
