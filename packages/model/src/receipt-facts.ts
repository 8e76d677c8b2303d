import type { Receipt } from './replay.ts';

/** Whether the call left. Receipts of earlier versions have no `rounds`: there its time says it. */
export function wasCallSent({ rounds, callDurationNs, protocolRevision }: Receipt): boolean {
  return rounds === undefined ? callDurationNs !== null || protocolRevision !== null : rounds > 0;
}

/** Why a receipt has no live definition of the tool; null = it has one. */
export function noDefinitionWords(receipt: Receipt): string | null {
  if (receipt.toolDefinition.sha256 !== null) return null;
  if (receipt.protocolRevision === null) return 'the server was not asked';
  return wasCallSent(receipt)
    ? 'the server lists no such tool'
    : 'the server gave no list of tools';
}
