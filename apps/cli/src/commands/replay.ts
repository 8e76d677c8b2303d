import { randomUUID } from 'node:crypto';
import {
  noDefinitionWords,
  type Receipt,
  type Replay,
  type Step,
  wasCallSent,
} from '@misstep/model';
import type { Services } from '@misstep/server';
import { AskAnswers, canAsk, readPreparedAnswers } from '../answer-asks.ts';
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
  takePositionals,
  textOption,
  textOptions,
  UsageError,
} from '../command.ts';
import { comparisonLines, writeComparisonRows } from '../describe-comparison.ts';
import { frameRemarkLines } from '../describe-frames.ts';
import { describeDuration } from '../describe-run.ts';
import { findRun, findStep } from '../find-run.ts';
import { sendSplit } from '../send-split.ts';
import { ask } from '../terminal/ask.ts';
import { type Terminal, writeJson, writeWords } from '../terminal/terminal.ts';
import { counted, visible } from '../terminal/visible.ts';

const ASK_WAIT_MS = 60_000;

export const replayCommand: Command = {
  name: 'replay',
  summary: 'Send a recorded call once to a target and compare its answer with the recording.',
  usage: 'RUN STEP --target NAME',
  options: {
    target: { type: 'string', value: 'NAME', text: 'The confirmed target to send it to.' },
    arguments: {
      type: 'string',
      value: 'FILE',
      text: 'JSON to send as arguments instead of the recorded ones; - for standard input.',
    },
    tool: { type: 'string', value: 'NAME', text: 'Tool to call instead of the recorded one.' },
    timeout: {
      type: 'string',
      value: 'MS',
      text: `How long to wait, in milliseconds: ${DEFAULT_TIMEOUT_MS} if not given.`,
    },
    answer: {
      type: 'string',
      value: 'METHOD=JSON',
      multiple: true,
      text: 'Result to give where the server asks METHOD meanwhile; may be repeated.',
    },
    'no-answers': {
      type: 'boolean',
      text: 'Ask nobody: what the server asks gets its default at once.',
    },
    split: {
      type: 'boolean',
      text: 'Send each change of --arguments alone, one replay after the other.',
    },
    'left-out': LEFT_OUT,
    yes: { type: 'boolean', text: 'Send it: the call may change things at the server.' },
  },
  async run(input) {
    const { terminal, options, json, signal } = input;
    const [givenRun = '', givenStep = ''] = takePositionals(input, 'RUN', 'STEP');
    const targetName = readTargetName(textOption(options, 'target'));
    const timeoutMs = readTimeout(textOption(options, 'timeout'));
    const file = textOption(options, 'arguments');
    const argumentsText = file === null ? null : await readArguments(file, terminal.stdin);
    const prepared = readPreparedAnswers(textOptions(options, 'answer'));
    const isInteractive = canAsk(terminal) && options['no-answers'] !== true;
    if (options.split === true && argumentsText === null) {
      throw new UsageError('--split needs --arguments: it splits what they change.');
    }
    if (options.split === true && textOption(options, 'tool') !== null) {
      throw new UsageError('--split and --tool: another tool would be a change of its own.');
    }
    if (options.split === true && textOptions(options, 'answer').length > 0) {
      throw new UsageError(
        '--split and --answer: while a plan is sent, what a server asks gets its default.',
      );
    }
    const services = await input.services();
    const runId = await findRun(services, givenRun);
    const step = findStep(await services.store.listSteps(runId), givenStep);
    if (options.split === true && argumentsText !== null) {
      const sendsLeftOut = options['left-out'] === true;
      const call = { runId, stepId: step.id, targetName, argumentsText, timeoutMs, sendsLeftOut };
      return sendSplit(input, await services.splits.prepare(call));
    }
    const tool = textOption(options, 'tool');
    const answers = new AskAnswers({ terminal, services, prepared, isInteractive, signal });
    const request = {
      runId,
      stepId: step.id,
      targetName,
      argumentsText,
      tool,
      sendsLeftOut: options['left-out'] === true,
      confirmTool: await confirmation(input, tool ?? step.tool ?? step.name),
      experimentId: null,
      prepared: null,
      timeoutMs,
      askWaitMs: isInteractive ? ASK_WAIT_MS : 0,
      idempotencyKey: randomUUID(),
    };
    const started = await services.replays.start(request, answers.onAsks);
    const cancel = () => void services.replays.cancel(started.id);
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    const replay = await services.replays.whenDone(started.id);
    signal.removeEventListener('abort', cancel);
    await answers.done();
    if (json) writeJson(terminal, replayLine(replay));
    else describeReplay(terminal, replay, step, await resultWords(services, replay));
    return replay.outcome === 'result' || replay.outcome === 'toolError' ? 0 : 1;
  },
};

/** The tool's name confirms this send; null leaves it to the target's word on read-only tools. */
async function confirmation(input: CommandInput, tool: string): Promise<string | null> {
  const { terminal, options, signal } = input;
  if (options.yes === true) return tool;
  const question = `This calls ${visible(tool)} once, which may change things. Type its name to send: `;
  const answer = await ask(terminal, question, signal);
  return answer === tool ? tool : null;
}

function replayLine(replay: Replay) {
  const { id, outcome, outcomeSentence, receipt, frames, events, comparison } = replay;
  const { asks, asksOmitted = 0 } = replay;
  return { id, receipt, frames, events, asks, asksOmitted, outcome, outcomeSentence, comparison };
}

/** How far the repetition is the recorded call. */
function pinsLine(receipt: Receipt): string {
  if (!wasCallSent(receipt)) return 'the call was not sent';
  const { pins, arguments: sent, toolDefinition, tool } = receipt;
  const { sha256, recordedSha256 } = toolDefinition;
  const words = [
    pins.arguments === 'edited'
      ? 'arguments edited'
      : `arguments as recorded${sent.sameBytesAsRecorded === true ? ', same bytes' : ''}`,
    ...(pins.tool === 'edited' ? [`another tool than recorded: ${visible(tool)}`] : []),
    sha256 === null || recordedSha256 === null
      ? `tool definition unknown, ${noDefinitionWords(receipt) ?? 'not in the recording'}`
      : sha256 === recordedSha256
        ? 'same tool definition'
        : 'tool definition changed',
  ];
  return words.join('; ');
}

/** One send shows no drift: what tells it from an effect. */
function roundsLine(receipt: Receipt | null): string {
  const command =
    receipt?.pins.arguments === 'edited'
      ? '`misstep experiment attribute` sends both calls in shuffled rounds'
      : '`misstep experiment repeat` sends it several times';
  return `One send can't tell an effect from a drift of the server; ${command}.`;
}

/** The revision that was spoken; nothing where no connection came to be. */
function describeProtocol(receipt: Receipt | null): string[] {
  if (receipt === null || receipt.protocolRevision === null) return [];
  const { protocolRevision, protocolEra } = receipt;
  return [
    `protocol ${visible(protocolRevision)}${protocolEra == null ? '' : `, ${protocolEra} era`}`,
  ];
}

/** What the server asked meanwhile, by method, and who answered. */
function describeAsks({ asks, asksOmitted = 0, receipt }: Replay): string[] {
  if (asks.length === 0) return [];
  const methods = [...new Set(asks.map(({ method }) => visible(method)))].slice(0, 5).join(', ');
  const by = (who: 'person' | 'default') => asks.filter(({ answer }) => answer?.by === who).length;
  const open = asks.filter(({ answer }) => answer === null).length;
  const waited = receipt?.asks?.waitedNs ?? null;
  const parts = [
    `${by('person')} answered by you`,
    `${by('default') + asksOmitted} by default`,
    ...(open === 0 ? [] : [`${open} unanswered`]),
    ...(waited === null ? [] : [`${describeDuration(waited)} of the call's time went by over it`]),
  ];
  return [`the server asked ${methods}: ${parts.join(', ')}`];
}

/** What a client makes of the result by the tool's outputSchema; none where nothing is declared. */
async function resultWords(services: Services, replay: Replay): Promise<string[]> {
  const { id, outcome, outcomeSentence } = replay;
  if (outcome !== 'result' && outcome !== 'toolError') return [];
  const { result } = await services.schemas.report(id);
  if (result === null || result.verdict === 'nothing declared') return [];
  // A refusal is said with the outcome already.
  return outcomeSentence?.includes(result.sentence) === true ? [] : [result.sentence];
}

function describeReplay(
  terminal: Terminal,
  replay: Replay,
  step: Step,
  resultLines: readonly string[],
): void {
  const { comparison, receipt, frames, outcome, outcomeSentence } = replay;
  const server = [receipt?.server.name, receipt?.server.version].filter((word) => word != null);
  writeWords(
    terminal,
    [
      `Step ${step.seq}, ${visible(replay.tool)}, sent to ${replay.targetName}: ${outcome}`,
      visible(outcomeSentence ?? ''),
      ...resultLines.map(visible),
      `${counted(frames.length, 'frame')}, ${describeDuration(receipt?.callDurationNs ?? null) || 'no answer'}, server ${visible(server.join(' ')) || 'unknown'}`,
      ...describeProtocol(receipt),
      ...describeAsks(replay),
      ...frameRemarkLines(frames),
      ...(receipt === null ? [] : [pinsLine(receipt)]),
      ...(comparison === null ? [] : ['', ...comparisonLines(comparison)]),
      ...(comparison === null ? [] : [roundsLine(receipt)]),
    ]
      .map((line) => `${line}\n`)
      .join(''),
  );
  if (comparison !== null) writeComparisonRows(terminal, comparison);
}
