import type { HttpExchange } from './http-traffic.ts';
import { oneLine } from './one-line.ts';
import { isRpc } from './rpc-view.ts';

/** With 303 the client asks for something else. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 307, 308]);

export const isRedirect = (status: number): boolean => REDIRECTS.has(status);

/** What is said of an answer that is none yet, but leads to it. */
export function ledTo(status: number, location: string | null): string {
  const where = location === null ? 'the same address' : oneLine(location, 200);
  return `HTTP status ${status}; sent again to ${where}`;
}

/**
 * The same request, byte for byte, at the address that the answer to another names: HTTP clients do so
 * by themselves, and for who called it is one call.
 */
export function goesOnFrom(first: HttpExchange, next: HttpExchange): boolean {
  const address = whereTo(first);
  return (
    address !== null &&
    first.method === next.method &&
    address === absolute(next.url, next.url) &&
    first.sent?.text === next.sent?.text
  );
}

/** Requests of JSON-RPC that were redirected, and the exchanges that go on from them. */
export class Redirects {
  readonly #next = new Map<HttpExchange, HttpExchange>();
  readonly #before = new Map<HttpExchange, HttpExchange>();

  /** In the order in which they were sent. */
  constructor(exchanges: readonly HttpExchange[]) {
    const waiting = new Map<string, HttpExchange>();
    for (const exchange of exchanges) {
      // A batch makes several steps: whose is whose is left open.
      const [only, ...more] = exchange.sent?.messages ?? [];
      if (only === undefined || more.length > 0 || only.view.isArray) continue;
      const text = exchange.sent?.text ?? '';
      const first = waiting.get(text);
      if (first !== undefined && goesOnFrom(first, exchange)) {
        this.#next.set(first, exchange);
        this.#before.set(exchange, first);
      }
      waiting.delete(text);
      if (whereTo(exchange) !== null) waiting.set(text, exchange);
    }
  }

  get count(): number {
    return this.#next.size;
  }

  /** The one whose answer is the answer. */
  lastOf(exchange: HttpExchange): HttpExchange {
    let last = exchange;
    for (;;) {
      const next = this.#next.get(last);
      if (next === undefined) return last;
      last = next;
    }
  }

  before(exchange: HttpExchange): HttpExchange | null {
    return this.#before.get(exchange) ?? null;
  }

  remarkOn(exchange: HttpExchange): string | null {
    if (exchange.led !== undefined && exchange.led !== null) return exchange.led;
    const { status, location = null } = exchange;
    return this.#next.has(exchange) ? ledTo(status, location) : null;
  }
}

/** The address that a redirect leads to; null of anything else, and where an answer came along with it. */
function whereTo({ status, location, url, sent, received }: HttpExchange): string | null {
  if (!isRedirect(status) || sent === null || (location ?? null) === null) return null;
  if (received?.messages.some(({ view }) => isRpc(view)) === true) return null;
  return absolute(location ?? '', url);
}

export function absolute(address: string, base: string): string {
  try {
    return new URL(address, base).href.replace(/#.*$/s, '');
  } catch {
    return address;
  }
}
