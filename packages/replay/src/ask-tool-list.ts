import {
  type ConnectionSecrets,
  describeEnd,
  type Handshake,
  type ListedTool,
  McpConnection,
  shortened,
  startClock,
} from '@misstep/mcp';
import { describeTargetAddress, fail, ok, type Result, type Target } from '@misstep/model';
import { type Settled, settle } from './settle.ts';
import { type Stop, watchForStop } from './stop.ts';
import { saidOnStderr } from './telling-line.ts';
import { readWholeToolList } from './whole-tool-list.ts';

export interface ToolListRequest {
  readonly target: Target;
  /** The values of the target's settings, where it names any. */
  readonly secrets?: ConnectionSecrets;
  /** Working folder for a stdio target that names none. */
  readonly defaultCwd: string;
  readonly timeoutMs: number;
  readonly maxFrameBytes: number;
  readonly misstepVersion: string;
  /** Aborted by the person, or with `MisstepStopped` as its reason. */
  readonly signal: AbortSignal;
}

export interface AskedToolList {
  readonly tools: readonly ListedTool[];
  readonly handshake: Handshake;
}

/**
 * Starts or calls a confirmed server, asks for every page of tools/list, and ends the connection.
 * No tool is called and no frame is kept. The error is a sentence or two. Never throws for what a
 * server does.
 */
export async function askToolList(
  request: ToolListRequest,
): Promise<Result<AskedToolList, string>> {
  const { target, timeoutMs, signal } = request;
  if (target.confirmedAt === null) {
    return fail(
      `Target ${target.name} is not confirmed, so nothing was started. Check and confirm it first: ${describeTargetAddress(target.address)}`,
    );
  }
  let stderrTail = '';
  const connection = new McpConnection({
    address: target.address,
    defaultCwd: request.defaultCwd,
    maxFrameBytes: request.maxFrameBytes,
    tap: ({ lane, bytes }) => {
      if (lane === '!') stderrTail = (stderrTail + new TextDecoder().decode(bytes)).slice(-2000);
    },
    clock: startClock(),
    clientVersion: request.misstepVersion,
    timeoutMs,
    protocolRevision: target.settings.protocolRevision,
    ...(request.secrets === undefined ? {} : { secrets: request.secrets }),
  });
  const { stop, release } = watchForStop({
    timeoutMs,
    signal,
    ended: connection.ended,
    logFailed: new Promise(() => undefined),
  });
  const because = async (outcome: Exclude<Settled<unknown>, { type: 'done' }>, asked: string) => {
    const words = wordStop(await whyStopped(outcome, stop), asked, timeoutMs);
    return fail(`${words}${saidOnStderr(stderrTail)}`);
  };
  try {
    const handshake = await settle(connection.handshake(), stop);
    if (handshake.type !== 'done') return await because(handshake, 'initialize');
    const list = await settle(readWholeToolList(connection), stop);
    if (list.type !== 'done') return await because(list, 'tools/list');
    if (!list.value.ok) {
      return fail(`The server's answer to tools/list can't be used: ${list.value.error}`);
    }
    return ok({ tools: list.value.value, handshake: handshake.value });
  } finally {
    release();
    await connection.close();
  }
}

/** A process that ends makes the request fail first; its end says more. */
async function whyStopped(
  outcome: Exclude<Settled<unknown>, { type: 'done' }>,
  stop: Promise<Stop>,
): Promise<Stop | { readonly reason: 'unusable'; readonly words: string }> {
  if (outcome.type === 'stopped') return outcome.stop;
  const none = new Promise<null>((resolve) => setImmediate(() => resolve(null)));
  const known = await Promise.race([stop, none]);
  if (known !== null) return known;
  const { error } = outcome;
  const text = error instanceof Error ? error.message : String(error);
  return { reason: 'unusable', words: shortened(text.replace(/\s+/g, ' '), 900) };
}

function wordStop(
  stop: Awaited<ReturnType<typeof whyStopped>>,
  asked: string,
  timeoutMs: number,
): string {
  switch (stop.reason) {
    case 'unusable':
      return `The server's answer to ${asked} can't be used: ${stop.words.replace(/\.$/, '')}.`;
    case 'timeout':
      return `The server did not answer ${asked} within ${timeoutMs / 1000} s.`;
    case 'ended':
      if (stop.end.reason === 'headersTooLarge') {
        return `The server's answer to ${asked} can't be used: ${describeEnd(stop.end)}.`;
      }
      return stop.end.reason === 'spawnFailed'
        ? `The server did not start: ${describeEnd(stop.end)}. Check the target's command and working folder.`
        : `${asked} was not answered: ${describeEnd(stop.end)}. Check the target's command or address.`;
    case 'misstepStopped':
    case 'cancelled':
    case 'logFailed':
      return 'It was stopped before the server had listed its tools.';
  }
}
