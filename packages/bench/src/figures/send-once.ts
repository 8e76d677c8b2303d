import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareResults } from '@misstep/compare';
import { decodeUtf8 } from '@misstep/json';
import {
  NO_TARGET_SETTINGS,
  type ReplayEvent,
  type ReplayFrame,
  RunIdSchema,
  StepIdSchema,
  type TargetAddress,
  TargetSchema,
} from '@misstep/model';
import {
  createReplayCall,
  createUlid,
  type LoggedCall,
  type ReplayEnding,
  readLoggedCall,
} from '@misstep/replay';

export interface CallToSend {
  readonly address: TargetAddress;
  readonly tool: string;
  readonly argumentsText: string;
  /** What the recording has; null = it has no result. */
  readonly resultText: string | null;
  readonly environment?: ReadonlyMap<string, string>;
  readonly timeoutMs: number;
}

export interface SentOnce {
  readonly ending: ReplayEnding;
  readonly frames: readonly ReplayFrame[];
  readonly events: readonly ReplayEvent[];
  readonly logged: LoggedCall;
}

const replayCall = createReplayCall({
  compare: ({ recorded, answer }) =>
    compareResults({ ...recorded, replayedText: decodeUtf8(answer.bytes).text }),
});

/** A new folder below the system's own for temporary files. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'misstep-figures-'));
}

/** One replay as the product makes it: connect, list, call, compare, keep every byte. */
export async function sendOnce(call: CallToSend): Promise<SentOnce> {
  const folder = newFolder();
  const frames: ReplayFrame[] = [];
  const events: ReplayEvent[] = [];
  const frameLogPath = join(folder, 'replay.frames');
  const result = await replayCall({
    replayId: createUlid(),
    call: {
      runId: RunIdSchema.parse('r0123456789abcdefghij'),
      stepId: StepIdSchema.parse('s1'),
      stepSeq: 1,
      tool: call.tool,
      argumentsState: 'captured',
      argumentsText: call.argumentsText,
      resultText: call.resultText,
      resultEvidence: 'wire',
      resultIsCut: false,
      toolDefinitionSha256: null,
    },
    target: TargetSchema.parse({
      name: 'figures',
      address: call.address,
      settings: NO_TARGET_SETTINGS,
      confirmedAt: new Date().toISOString(),
      trustsReadOnlyHint: false,
      createdAt: new Date().toISOString(),
    }),
    secrets: { environment: call.environment ?? new Map(), headers: new Map() },
    defaultCwd: folder,
    tool: null,
    argumentsText: null,
    confirmTool: call.tool,
    timeoutMs: call.timeoutMs,
    maxFrameBytes: 64 * 1024 * 1024,
    frameLogPath,
    misstepVersion: '0.0.0-figures',
    signal: new AbortController().signal,
    onFrame: (frame) => frames.push(frame),
    onEvent: (event) => events.push(event),
  });
  if (!result.ok) throw new Error(`refused: ${result.error.sentence}`);
  return {
    ending: result.value,
    frames,
    events,
    logged: readLoggedCall(readFileSync(frameLogPath)),
  };
}
