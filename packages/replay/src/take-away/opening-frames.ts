import { encodeString } from '@misstep/json';
import { callFrameText, onOneLine } from '@misstep/mcp';
import type { CheckedCall } from './take-away.ts';

const REVISION = '2025-11-25';

/** The revision that the opening asks for: the one that the target is held to, else the newest with an opening. */
export function revisionOf({ settings }: CheckedCall): string {
  return settings.protocolRevision === 'auto' ? REVISION : settings.protocolRevision;
}

/** The three messages of a conversation that makes one call. */
export function framesOf(call: CheckedCall): {
  readonly initialize: string;
  readonly initialized: string;
  readonly call: string;
} {
  const { tool, argumentsText, address } = call;
  const text = address.transport === 'stdio' ? onOneLine(argumentsText) : argumentsText;
  return {
    initialize: `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":${encodeString(revisionOf(call))},"capabilities":{},"clientInfo":{"name":"misstep","version":"1"}}}`,
    initialized: '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    call: callFrameText('1', tool, text),
  };
}
