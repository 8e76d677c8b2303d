import type { IncomingMessage } from 'node:http';

/** Where exporters of OpenTelemetry send to, by their own convention. */
export const RECEIVER_PATHS = { spans: '/v1/traces', logs: '/v1/logs' } as const;

/** A header of its own: exporters decode `%20` in a Bearer value differently or not at all. */
export const RECEIVER_TOKEN_HEADER = 'x-misstep-token';

/** The addresses that other programs write to, with a token that opens nothing else. */
export function isReceiverRequest({
  method,
  url,
}: Pick<IncomingMessage, 'method' | 'url'>): boolean {
  return method === 'POST' && isReceiverPath(url?.split('?')[0]);
}

export function isReceiverPath(path: string | undefined): boolean {
  return path === RECEIVER_PATHS.spans || path === RECEIVER_PATHS.logs;
}
