import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type Receipt, type Replay, type Step, TargetNameSchema } from '@misstep/model';
import {
  type Command,
  type CommandInput,
  takePositionals,
  textOption,
  UsageError,
} from '../command.ts';
import { describeDuration } from '../describe-run.ts';
import { findRun, findStep } from '../find-run.ts';
import { ask } from '../terminal/ask.ts';
import { formatTable } from '../terminal/table.ts';
import { type Terminal, tell, writeJson, writeWords } from '../terminal/terminal.ts';
import { counted, shorten, visible } from '../terminal/visible.ts';

const DEFAULT_TIMEOUT_MS = 60_000;
const SHOWN_ROWS = 40;

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
    yes: { type: 'boolean', text: 'Send it: the call may change things at the server.' },
  },
  async run(input) {
    const { terminal, options, json, signal } = input;
    const [givenRun = '', givenStep = ''] = takePositionals(input, 'RUN', 'STEP');
    const targetName = readTargetName(textOption(options, 'target'));
    const timeoutMs = readTimeout(textOption(options, 'timeout'));
    const file = textOption(options, 'arguments');
    const argumentsText = file === null ? null : await readArguments(file, terminal.stdin);
    const services = await input.services();
    const runId = await findRun(services, givenRun);
    const step = findStep(await services.store.listSteps(runId), givenStep);
    const tool = textOption(options, 'tool');
    const started = await services.replays.start({
      runId,
      stepId: step.id,
      targetName,
      argumentsText,
      tool,
      confirmTool: await confirmation(input, tool ?? step.tool ?? step.name),
      timeoutMs,
      idempotencyKey: randomUUID(),
    });
    const cancel = () => void services.replays.cancel(started.id);
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    const replay = await services.replays.whenDone(started.id);
    signal.removeEventListener('abort', cancel);
    if (json) writeJson(terminal, replayLine(replay));
    else describeReplay(terminal, replay, step);
    return replay.outcome === 'result' || replay.outcome === 'toolError' ? 0 : 1;
  },
};

function readTargetName(given: string | null) {
  if (given === null) throw new UsageError('--target is missing.');
  const name = TargetNameSchema.safeParse(given);
  if (name.success) return name.data;
  throw new UsageError(`--target: ${name.error.issues[0]?.message ?? 'it cannot be read'}.`);
}

function readTimeout(given: string | null): number {
  if (given === null) return DEFAULT_TIMEOUT_MS;
  const timeoutMs = Number(given);
  if (/^\d{1,6}$/.test(given) && timeoutMs >= 100 && timeoutMs <= 600_000) return timeoutMs;
  throw new UsageError('--timeout must be a number from 100 to 600000.');
}

/** The bytes as they are, but for the line break that editors put at the end of a file. */
async function readArguments(file: string, stdin: Readable): Promise<string> {
  const bytes = file === '-' ? await readAll(stdin) : await readArgumentsFile(file);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.replace(/\r?\n$/, '');
  } catch {
    throw new UsageError('--arguments: the bytes are not UTF-8.');
  }
}

async function readArgumentsFile(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    throw new UsageError(`--arguments: ${file} ${why}.`);
  }
}

async function readAll(stdin: Readable): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

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
  return { id, receipt, frames, events, outcome, outcomeSentence, comparison };
}

/** How far the repetition is the recorded call. */
function describePins({ pins, arguments: sent, toolDefinition, tool }: Receipt): string {
  const { sha256, recordedSha256 } = toolDefinition;
  const words = [
    pins.arguments === 'edited'
      ? 'arguments edited'
      : `arguments as recorded${sent.sameBytesAsRecorded === true ? ', same bytes' : ''}`,
    ...(pins.tool === 'edited' ? [`another tool than recorded: ${visible(tool)}`] : []),
    sha256 === null || recordedSha256 === null
      ? `tool definition unknown, ${sha256 === null ? 'the server lists none' : 'not in the recording'}`
      : sha256 === recordedSha256
        ? 'same tool definition'
        : 'tool definition changed',
  ];
  return words.join('; ');
}

function describeReplay(terminal: Terminal, replay: Replay, step: Step): void {
  const { comparison, receipt, frames, outcome, outcomeSentence } = replay;
  const server = [receipt?.server.name, receipt?.server.version].filter((word) => word != null);
  writeWords(
    terminal,
    [
      `Step ${step.seq}, ${visible(replay.tool)}, sent to ${replay.targetName}: ${outcome}`,
      visible(outcomeSentence ?? ''),
      `${counted(frames.length, 'frame')}, ${describeDuration(receipt?.callDurationNs ?? null) || 'no answer'}, server ${visible(server.join(' ')) || 'unknown'}`,
      ...(receipt === null ? [] : [describePins(receipt)]),
      ...(comparison === null
        ? []
        : ['', `${comparison.verdict}: ${visible(comparison.sentence)}`]),
    ]
      .map((line) => `${line}\n`)
      .join(''),
  );
  if (comparison === null) return;
  const rows = comparison.rows.slice(0, SHOWN_ROWS);
  const cell = (text: string | null) => (text === null ? '-' : shorten(text, 40));
  writeWords(
    terminal,
    formatTable(
      rows.map((row) => [row.pointer, row.verdict, cell(row.transcript), cell(row.replayed)]),
    ),
  );
  const total = comparison.rows.length + comparison.rowsOmitted;
  if (rows.length < total) tell(terminal, `${rows.length} of ${total} rows; all with --json.`);
}
