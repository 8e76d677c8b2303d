import { type JsonDocument, member } from '@misstep/json';

/**
 * What the messages of one client share: over HTTP each comes with a connection of its own. Ids of
 * our own requests are `ask-1`, `ask-2` and so on.
 */
export class Session {
  canElicit = false;
  readonly #waiting = new Map<string, (answer: JsonDocument | null) => void>();
  #count = 0;

  /** The `result` of the client's answer, or null where it is an error or never comes. */
  ask(
    send: (text: string) => void,
    method: string,
    paramsText: string,
    signal: AbortSignal,
  ): Promise<JsonDocument | null> {
    this.#count += 1;
    const id = `ask-${this.#count}`;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      signal.addEventListener('abort', () => this.answered(id, null), { once: true });
      send(`{"jsonrpc":"2.0","id":"${id}","method":"${method}","params":${paramsText}}`);
    });
  }

  /** `message` is the whole answer; null = none will come. */
  answered(id: string, message: JsonDocument | null): void {
    const resolve = this.#waiting.get(id);
    this.#waiting.delete(id);
    const hasResult = message !== null && member(message, message.root, 'result') !== undefined;
    resolve?.(hasResult ? message : null);
  }
}
