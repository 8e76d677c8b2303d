import type { Receipt } from '@misstep/model';

/** One of the things that must be equal before a difference in the answer can be blamed on another. */
export interface PinStatement {
  readonly name: string;
  /** Null = can't be known from the recording. */
  readonly same: boolean | null;
  readonly words: string;
}

/** What the recording holds of the conversation that the call was part of; null = it doesn't. */
export interface RecordedConversation {
  readonly serverName: string | null;
  readonly serverVersion: string | null;
  readonly protocolRevision: string | null;
  /** UTF-8 size of the recorded arguments; null = not held whole. */
  readonly argumentBytes: number | null;
}

const NOTHING_RECORDED: RecordedConversation = {
  serverName: null,
  serverVersion: null,
  protocolRevision: null,
  argumentBytes: null,
};

/**
 * What a replay means: what was the same as in the recording, what differed and what nobody can
 * know. Goes with every receipt that is shown.
 */
export function describePins(
  receipt: Receipt,
  recorded: RecordedConversation = NOTHING_RECORDED,
): PinStatement[] {
  const { toolDefinition, pins, server } = receipt;
  const definitionSame =
    toolDefinition.sha256 === null || toolDefinition.recordedSha256 === null
      ? null
      : toolDefinition.sha256 === toolDefinition.recordedSha256;
  return [
    argumentsPin(receipt, recorded),
    {
      name: 'Same tool',
      same: pins.tool === 'recorded',
      words: pins.tool === 'recorded' ? 'yes' : `no, ${receipt.tool} was chosen`,
    },
    {
      name: 'Same tool definition',
      same: definitionSame,
      words:
        definitionSame === null
          ? `unknown, ${toolDefinition.sha256 === null ? 'the server lists no such tool' : 'not in the recording'}`
          : definitionSame
            ? 'yes, same bytes'
            : 'no, it changed',
    },
    thenAndNow('Same server', recorded.serverName, server.name),
    thenAndNow('Same server version', recorded.serverVersion, server.version),
    thenAndNow('Same protocol revision', recorded.protocolRevision, receipt.protocolRevision),
    { name: 'Same server state', same: null, words: 'unknown, as of now' },
  ];
}

function argumentsPin({ arguments: sent }: Receipt, recorded: RecordedConversation): PinStatement {
  const name = 'Same argument bytes';
  const same = sent.sameBytesAsRecorded;
  if (same === null) return { name, same, words: 'unknown, not whole in the recording' };
  if (same) return { name, same, words: `yes, ${sent.sizeBytes} of ${sent.sizeBytes}` };
  const then = recorded.argumentBytes === null ? '' : `${recorded.argumentBytes} B then, `;
  return { name, same, words: `no, ${then}${sent.sizeBytes} B sent` };
}

function thenAndNow(name: string, then: string | null, now: string | null): PinStatement {
  if (now === null) {
    return {
      name,
      same: null,
      words: `unknown, the server did not say${then === null ? '' : `; ${then} then`}`,
    };
  }
  if (then === null) return { name, same: null, words: `unknown then, ${now} now` };
  return then === now
    ? { name, same: true, words: `yes, ${now}` }
    : { name, same: false, words: `no, ${then} then, ${now} now` };
}

/**
 * To what a difference between the recorded answer and the live one can be laid, in one sentence.
 * It is laid to nothing that the pins leave open.
 */
export function meaningOf(pins: readonly PinStatement[]): string {
  const bare = (pin: PinStatement) => pin.name.replace(/^Same /, '');
  const changed = pins.filter((pin) => pin.same === false).map(bare);
  const open = pins.filter((pin) => pin.same === null).map(bare);
  const causes = [
    ...(changed.length === 0 ? [] : [`what differs here (${changed.join(', ')})`]),
    ...(open.length === 0 ? [] : [`what nobody can know (${open.join(', ')})`]),
  ];
  return `A difference may come from ${causes.join(' or ')}. Agreement says nothing of how a model chose the call or read the answer.`;
}
