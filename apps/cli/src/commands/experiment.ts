import { randomUUID } from 'node:crypto';
import type { ExperimentRequest, RunId } from '@misstep/model';
import type { Services } from '@misstep/server';
import {
  DEFAULT_TIMEOUT_MS,
  LEFT_OUT,
  readArguments,
  readTargetName,
  readTimeout,
} from '../call-options.ts';
import {
  type Command,
  type CommandInput,
  type CommandOption,
  takePositionals,
  textOption,
  textOptions,
  UsageError,
} from '../command.ts';
import { experimentLine, experimentRows } from '../describe-experiment.ts';
import { describeDuration } from '../describe-run.ts';
import { findRun, findStep } from '../find-run.ts';
import { makeNewFile, type NewFile } from '../new-file.ts';
import { ask } from '../terminal/ask.ts';
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
  gap: {
    type: 'string',
    value: 'MS',
    text: 'From the start of one call to the next at least: 250 if not given, 200 or more.',
  },
  'left-out': LEFT_OUT,
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
    const { common, services, runId } = await readCalls(input, false);
    return perform(input, services, runId, { kind: 'repeat', ...common, times });
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
    const connections = textOption(input.options, 'connections') ?? 'one';
    if (connections !== 'one' && connections !== 'each') {
      throw new UsageError('--connections is one or each.');
    }
    const framesPath = textOption(input.options, 'frames');
    const { common, services, runId, callB } = await readCalls(input, true);
    const request: ExperimentRequest = {
      kind: 'race',
      ...common,
      callB,
      atOnce,
      connections,
    };
    // Before anything is sent: that it can't be made is no use to know afterwards.
    const frames = framesPath === null ? null : await makeNewFile(framesPath, '--frames');
    try {
      return await perform(input, services, runId, request, frames);
    } finally {
      await frames?.dropUnwritten();
    }
  },
};

const ATTRIBUTE_OPTIONS = {
  ...COMMON,
  'arguments-b': { type: 'string', value: 'FILE', text: 'Arguments of B instead of a step’s.' },
  by: {
    type: 'string',
    value: 'SIGNATURE',
    text: 'What counts as outcome: error, hash, value:/pointer or count:/pointer.',
  },
  ignore: {
    type: 'string',
    value: 'POINTER',
    multiple: true,
    text: 'Left out of a hash, with all below it; may be given several times.',
  },
  repeats: {
    type: 'string',
    value: 'N',
    text: 'Of each combination, from 2 to 20; 3 if not given.',
  },
} satisfies Readonly<Record<string, CommandOption>>;

export const experimentAttributeCommand: Command = {
  name: 'experiment attribute',
  summary: 'Two calls with different outcomes: which of the arguments makes the difference?',
  usage: 'RUN STEP [STEP_B] --target NAME --by SIGNATURE',
  options: ATTRIBUTE_OPTIONS,
  async run(input) {
    const repeats = readCount(input, 'repeats', 3, 2, 20);
    const { request, services, runId } = await readCompared(input);
    return perform(input, services, runId, { kind: 'attribute', ...request, repeats });
  },
};

const BOUNDARY_OPTIONS: Readonly<Record<string, CommandOption>> = {
  ...COMMON,
  'arguments-b': ATTRIBUTE_OPTIONS['arguments-b'],
  by: ATTRIBUTE_OPTIONS.by,
  ignore: ATTRIBUTE_OPTIONS.ignore,
  argument: {
    type: 'string',
    value: 'NAME',
    text: 'The argument that goes from A’s value to B’s; the others stay as A has them.',
  },
  elsewhere: {
    type: 'string',
    value: 'N',
    text: 'Values tried beside the way, to see whether it changes there too: 0 to 20; 4 if not given.',
  },
};

export const experimentBoundaryCommand: Command = {
  name: 'experiment boundary',
  summary: 'One argument between two values: at which of them does the outcome change?',
  usage: 'RUN STEP [STEP_B] --target NAME --argument NAME --by SIGNATURE',
  options: BOUNDARY_OPTIONS,
  async run(input) {
    const elsewhere = readCount(input, 'elsewhere', 4, 0, 20);
    const argument = textOption(input.options, 'argument');
    if (argument === null) throw new UsageError('--argument is missing.');
    const { request, services, runId } = await readCompared(input);
    return perform(input, services, runId, { kind: 'boundary', ...request, argument, elsewhere });
  },
};

/** What both experiments of two calls and a signature are given. */
async function readCompared(input: CommandInput) {
  const signature = textOption(input.options, 'by');
  if (signature === null) throw new UsageError('--by is missing.');
  const { common, services, runId, callB } = await readCalls(input, true);
  if (callB === null) throw new UsageError('STEP_B or --arguments-b is missing.');
  const ignoredPointers = [...textOptions(input.options, 'ignore')];
  return { request: { ...common, callB, signature, ignoredPointers }, services, runId };
}

type Call = ExperimentRequest['call'];

async function readCalls(
  input: CommandInput,
  mayHaveSecond: boolean,
): Promise<{
  common: Pick<ExperimentRequest, 'targetName' | 'timeoutMs' | 'gapMs' | 'sendsLeftOut' | 'call'>;
  services: Services;
  runId: RunId;
  /** From a third word or `--arguments-b`; null where neither is given. */
  callB: Call | null;
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
  const gapMs = readCount(input, 'gap', 250, 200, 60_000);
  const sendsLeftOut = options['left-out'] === true;
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
    common: {
      targetName,
      timeoutMs,
      gapMs,
      sendsLeftOut,
      call: { stepId, replayId: null, argumentsText },
    },
    services,
    runId,
    callB: hasSecond ? { stepId: idB, replayId: null, argumentsText: textB } : null,
  };
}

/** Shows the plan, has it confirmed as a whole, runs it, and writes what is known at the end. */
async function perform(
  input: CommandInput,
  services: Services,
  runId: RunId,
  request: ExperimentRequest,
  frames: NewFile | null = null,
): Promise<0 | 1> {
  const { terminal, json, options, signal } = input;
  const { experiments } = services;
  const plan = await experiments.plan(runId, request, null);
  tell(terminal, `Plan: ${visible(plan.sentence)}`);
  if (plan.expected.ms !== null) {
    tell(
      terminal,
      `Expected: about ${describeDuration(plan.expected.ms * 1e6)}, by earlier calls.`,
    );
  }
  for (const { name, argumentsText } of plan.calls) {
    tell(terminal, `${name}: ${visible(plan.tool)} ${shorten(visible(argumentsText), 2000)}`);
  }
  const question = 'Type the tool’s name to send all of it: ';
  // Where nobody could be asked, only a tool that a trusted server calls read-only goes out.
  const answer = options.yes === true ? plan.tool : await ask(terminal, question, signal);
  if (answer !== null && answer !== plan.tool) {
    tell(terminal, 'Not confirmed, so nothing was sent.');
    return 1;
  }
  const { id } = await experiments.start({
    runId,
    request,
    seed: plan.seed,
    planSha256: plan.sha256,
    confirmTool: answer,
    idempotencyKey: randomUUID(),
    onProgress: (sent, label) =>
      tell(terminal, `${sent + 1} of ${plan.callCount}: ${visible(label)}`),
  });
  const stop = () => void experiments.stop(id);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const experiment = await experiments.whenDone(id);
  signal.removeEventListener('abort', stop);
  const { state, reason, sentCount, matrix } = experiment;
  if (frames !== null && matrix.kind === 'race' && matrix.rows.length > 0) {
    const { bytes } = await experiments.export(id, 'frames');
    await frames.write(bytes);
  }
  if (json) writeJson(terminal, experimentLine(experiment));
  else {
    writeWords(terminal, experimentRows(experiment));
    if (reason !== null) writeWords(terminal, `${visible(reason)}\n`);
    const stopped = state === 'stopped' || state === 'interrupted';
    const words = stopped ? `Stopped after ${sentCount} of ${plan.callCount} calls. ` : '';
    writeWords(terminal, `${words}${visible(matrix.sentence)}\nKept as experiment ${id}.\n`);
  }
  return state === 'complete' ? 0 : 1;
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
  if (/^\d{1,5}$/.test(given) && count >= least && count <= most) return count;
  throw new UsageError(`--${name} must be a number from ${least} to ${most}.`);
}
