import type { ConnectionOptions } from './connection-options.ts';
import type { RawTransport } from './frame-transport.ts';
import { HttpFrameTransport } from './http-transport.ts';
import { SseFrameTransport } from './sse-transport.ts';
import { StdioFrameTransport } from './stdio-transport.ts';
import type { ConnectionClock } from './tap.ts';

/** The transport that an address names; nothing is started yet. */
export function createTransport(
  options: ConnectionOptions & { readonly clock: ConnectionClock },
): RawTransport {
  const { address, maxFrameBytes, tap, clock } = options;
  const shared = {
    maxFrameBytes,
    tap,
    clock,
    ...(options.secrets === undefined ? {} : { secrets: options.secrets }),
  };
  if (address.transport === 'sse') return new SseFrameTransport({ url: address.url, ...shared });
  if (address.transport === 'streamable-http') {
    return new HttpFrameTransport({
      url: address.url,
      ...shared,
      listens: options.answerServer !== undefined,
    });
  }
  return new StdioFrameTransport({
    command: address.command,
    args: address.args,
    cwd: address.cwd ?? options.defaultCwd,
    ...shared,
  });
}
