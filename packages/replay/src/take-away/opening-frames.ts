import { callFrameText, onOneLine } from '@misstep/mcp';
import type { CheckedCall } from './take-away.ts';

export const REVISION = '2025-11-25';

/** The three messages of a conversation that makes one call. */
export function framesOf({ tool, argumentsText, address }: CheckedCall): {
  readonly initialize: string;
  readonly initialized: string;
  readonly call: string;
} {
  const text = address.transport === 'stdio' ? onOneLine(argumentsText) : argumentsText;
  return {
    initialize: `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"${REVISION}","capabilities":{},"clientInfo":{"name":"misstep","version":"1"}}}`,
    initialized: '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    call: callFrameText('1', tool, text),
  };
}
