import type { HttpMessage } from './http-messages.ts';

export interface Pair {
  readonly request: HttpMessage | null;
  readonly answer: HttpMessage | null;
}

/**
 * Answers come in the order of their requests (RFC 9112, section 9.3.2). An answer whose request
 * was not captured is known by its time: it came before the next request was sent.
 */
export function pairMessages(
  requests: readonly HttpMessage[],
  answers: readonly HttpMessage[],
): Pair[] {
  const pairs: Pair[] = [];
  let next = 0;
  for (const answer of answers) {
    if (answer.status < 200 && answer.status !== 101) continue;
    const request = requests[next] ?? null;
    const sentAt = request === null ? null : timeOf(request);
    const cameAt = timeOf(answer);
    const isLater = sentAt !== null && cameAt !== null && sentAt > cameAt;
    if (request === null || isLater) pairs.push({ request: null, answer });
    else {
      pairs.push({ request, answer });
      next += 1;
    }
  }
  for (const request of requests.slice(next)) pairs.push({ request, answer: null });
  return pairs;
}

function timeOf({ part, start }: HttpMessage): bigint | null {
  let latest: bigint | null = null;
  for (const piece of part.pieces) {
    if (piece.start > start) break;
    latest = piece.atNs;
  }
  return latest;
}
