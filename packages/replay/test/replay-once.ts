import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  NO_TARGET_SETTINGS,
  type ReplayEvent,
  type ReplayFrame,
  type Result,
  RunIdSchema,
  StepIdSchema,
  type Target,
  type TargetAddress,
  TargetSchema,
} from '@misstep/model';
import { hostileStdioCommand } from '@misstep/testkit';
import {
  type AnswerWork,
  createReplayCall,
  createUlid,
  type RecordedCall,
  type ReplayEnding,
  type ReplayRefusal,
  type ReplayRequest,
  readReplayLog,
} from '../src/index.ts';

export const recordedCall: RecordedCall = {
  runId: RunIdSchema.parse('r0123456789abcdefghij'),
  stepId: StepIdSchema.parse('s1'),
  stepSeq: 4,
  tool: 'echo',
  argumentsState: 'captured',
  argumentsText: '{"shelf":"A-7"}',
  resultText: '{"content":[]}',
  resultEvidence: 'rendered',
  resultIsCut: false,
  toolDefinitionSha256: null,
};

/** Says what it was given, so that a test can see it; the real one has tests of its own. */
const compare: AnswerWork['compare'] = ({ recorded, answer }) => ({
  verdict: 'cannot tell',
  sentence: JSON.stringify({ ...recorded, replayedText: new TextDecoder().decode(answer.bytes) }),
  counts: {},
  rows: [],
  rowsOmitted: 0,
  readings: [],
});

export interface Replayed {
  readonly result: Result<ReplayEnding, ReplayRefusal>;
  readonly frames: readonly ReplayFrame[];
  readonly events: readonly ReplayEvent[];
  readonly states: readonly string[];
  readonly frameLog: Uint8Array;
}

export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'misstep-replay-'));
}

export function stdioTarget(behaviour: string, logPath?: string): TargetAddress {
  return { transport: 'stdio', cwd: null, ...hostileStdioCommand(behaviour, logPath) };
}

/** Runs one replay and reads its frame log again. */
export async function replayOnce(
  address: TargetAddress,
  given: Partial<ReplayRequest> & { readonly settings?: Target['settings'] } = {},
): Promise<Replayed> {
  const { settings = NO_TARGET_SETTINGS, ...overrides } = given;
  const folder = newFolder();
  const frames: ReplayFrame[] = [];
  const events: ReplayEvent[] = [];
  const states: string[] = [];
  const request: ReplayRequest = {
    replayId: createUlid(),
    call: recordedCall,
    target: TargetSchema.parse({
      name: 'warehouse',
      address,
      settings,
      confirmedAt: '2026-11-30T00:00:00.000Z',
      trustsReadOnlyHint: false,
      createdAt: '2026-11-30T00:00:00.000Z',
    }),
    defaultCwd: folder,
    tool: null,
    argumentsText: null,
    confirmTool: 'echo',
    timeoutMs: 20_000,
    maxFrameBytes: 64 * 1024 * 1024,
    frameLogPath: join(folder, 'replay.frames'),
    misstepVersion: '0.0.0-test',
    signal: new AbortController().signal,
    onFrame: (frame) => frames.push(frame),
    onEvent: (event) => events.push(event),
    onState: (state) => states.push(state),
    ...overrides,
  };
  const result = await createReplayCall({ compare })(request);
  failOnOrphans(events);
  const frameLog = readWhereThere(request.frameLogPath);
  return { result, frames, events, states, frameLog };
}

/** The ending; fails the test where the replay was refused. */
export function endingOf({ result }: Replayed): ReplayEnding {
  if (!result.ok) throw new Error(`refused: ${result.error.sentence}`);
  return result.value;
}

export function refusalOf({ result }: Replayed): ReplayRefusal {
  if (result.ok) throw new Error(`not refused: ${result.value.sentence}`);
  return result.error;
}

export function reread(replayed: Replayed): Pick<Replayed, 'frames' | 'events'> {
  const { frames, events } = readReplayLog(replayed.frameLog);
  return { frames, events };
}

export function serverFrames(replayed: Replayed): ReplayFrame[] {
  return replayed.frames.filter(({ direction }) => direction === 'server-to-client');
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A killed orphan stays a zombie where nothing reaps it; it runs no more.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** No replay may leave a process of the server's group behind. */
function failOnOrphans(events: readonly ReplayEvent[]): void {
  const started = events.find(({ kind }) => kind === 'started')?.text ?? '';
  const leader = /^process (\d+)/.exec(started)?.[1];
  if (leader === undefined || process.platform !== 'linux') return;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    // The name in brackets can hold anything; after it come state, parent and group.
    const stat = readWhereThere(`/proc/${pid}/stat`).toString();
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (group === leader && state !== 'Z') throw new Error(`process ${pid} was left behind`);
  }
}

function readWhereThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}
