import type { IncomingMessage } from 'node:http';

/** Where exporters of OpenTelemetry send traces to, by their own convention. */
export const RECEIVER_PATH = '/v1/traces';

/** A header of its own: exporters decode `%20` in a Bearer value differently or not at all. */
export const RECEIVER_TOKEN_HEADER = 'x-misstep-token';

/** The one address that other programs write to, with a token that opens nothing else. */
export function isReceiverRequest({
  method,
  url,
}: Pick<IncomingMessage, 'method' | 'url'>): boolean {
  return method === 'POST' && url?.split('?')[0] === RECEIVER_PATH;
}
