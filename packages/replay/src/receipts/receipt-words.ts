import { noDefinitionWords, type Receipt, wasCallSent } from '@misstep/model';

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
  const isReached = receipt.protocolRevision !== null;
  const now = (name: string, then: string | null, value: string | null) =>
    thenAndNow(name, then, value, isReached);
  const definitionSame =
    toolDefinition.sha256 === null || toolDefinition.recordedSha256 === null
      ? null
      : toolDefinition.sha256 === toolDefinition.recordedSha256;
  return [
    argumentsPin(receipt, recorded),
    {
      name: 'Same tool',
      same: wasCallSent(receipt) ? pins.tool === 'recorded' : null,
      words: !wasCallSent(receipt)
        ? NOTHING_SENT
        : pins.tool === 'recorded'
          ? 'yes'
          : `no, ${receipt.tool} was chosen`,
    },
    {
      name: 'Same tool definition',
      same: definitionSame,
      words:
        definitionSame === null
          ? `unknown, ${noDefinitionWords(receipt) ?? 'not in the recording'}`
          : definitionSame
            ? 'yes, same bytes'
            : 'no, it changed',
    },
    now('Same server', recorded.serverName, server.name),
    now('Same server version', recorded.serverVersion, server.version),
    now('Same protocol revision', recorded.protocolRevision, receipt.protocolRevision),
    { name: 'Same server state', same: null, words: 'unknown, as of now' },
  ];
}

const NOTHING_SENT = 'unknown, the call was not sent';

function argumentsPin(receipt: Receipt, recorded: RecordedConversation): PinStatement {
  const name = 'Same argument bytes';
  if (!wasCallSent(receipt)) return { name, same: null, words: NOTHING_SENT };
  const { arguments: sent } = receipt;
  const same = sent.sameBytesAsRecorded;
  if (same === null) return { name, same, words: 'unknown, not whole in the recording' };
  if (same) return { name, same, words: `yes, ${sent.sizeBytes} of ${sent.sizeBytes}` };
  const then = recorded.argumentBytes === null ? '' : `${recorded.argumentBytes} B then, `;
  return { name, same, words: `no, ${then}${sent.sizeBytes} B sent` };
}

function thenAndNow(
  name: string,
  then: string | null,
  now: string | null,
  isReached: boolean,
): PinStatement {
  if (now === null) {
    return {
      name,
      same: null,
      words: `unknown, ${isReached ? 'the server did not say' : 'the server was not reached'}${then === null ? '' : `; ${then} then`}`,
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
  if (pins.some(({ words }) => words === NOTHING_SENT)) {
    return 'The call was not sent, so there is no answer to lay beside the recorded one.';
  }
  const bare = (pin: PinStatement) => pin.name.replace(/^Same /, '');
  const changed = pins.filter((pin) => pin.same === false).map(bare);
  const open = pins.filter((pin) => pin.same === null).map(bare);
  const causes = [
    ...(changed.length === 0 ? [] : [`what differs here (${changed.join(', ')})`]),
    ...(open.length === 0 ? [] : [`what nobody can know (${open.join(', ')})`]),
  ];
  return `A difference may come from ${causes.join(' or ')}. Agreement says nothing of how a model chose the call or read the answer.`;
}
