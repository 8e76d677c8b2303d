import type { Receipt } from '@misstep/model';

/** One of the things that must be equal before a difference in the answer can be blamed on another. */
export interface PinStatement {
  readonly name: string;
  /** Null = can't be known from the recording. */
  readonly same: boolean | null;
  readonly words: string;
}

/**
 * What a replay means: what was the same as in the recording, what differed and what nobody can
 * know. Goes with every receipt that is shown.
 */
export function describePins(receipt: Receipt): PinStatement[] {
  const { arguments: args, toolDefinition, pins, server } = receipt;
  const definitionSame =
    toolDefinition.sha256 === null || toolDefinition.recordedSha256 === null
      ? null
      : toolDefinition.sha256 === toolDefinition.recordedSha256;
  return [
    {
      name: 'Same argument bytes',
      same: args.sameBytesAsRecorded,
      words:
        args.sameBytesAsRecorded === null
          ? 'cannot tell: the recording does not hold them whole'
          : args.sameBytesAsRecorded
            ? 'yes'
            : 'no',
    },
    {
      name: 'Same tool',
      same: pins.tool === 'recorded',
      words: pins.tool === 'recorded' ? 'yes' : 'no, another tool was chosen',
    },
    {
      name: 'Same tool definition',
      same: definitionSame,
      words:
        definitionSame === null
          ? 'cannot tell: the recording or the server lacks it'
          : definitionSame
            ? 'yes, by hash'
            : 'no, by hash',
    },
    {
      name: 'Same server version',
      same: null,
      words: `cannot tell: now ${[server.name ?? 'unnamed', server.version ?? 'without version'].join(' ')}, protocol ${receipt.protocolRevision ?? 'unknown'}`,
    },
    { name: 'Same server state', same: null, words: 'unknown, as of now' },
  ];
}
