import { ownProcessToken } from './process-token.ts';
import type { SourceClaim } from './queries/source.ts';
import type { StoredSource } from './store.ts';
import type { WorkerClient } from './worker-client.ts';

/** More would keep others that ask the worker waiting. */
const MOST_AT_ONCE = 64;

interface Waiting {
  readonly claim: SourceClaim;
  resolve(stored: StoredSource): void;
  reject(error: unknown): void;
}

/** Claims that come while others are on their way go over together: one flush for all of them. */
export class SourceClaims {
  readonly #client: WorkerClient;
  readonly #waiting: Waiting[] = [];
  #isSending = false;

  constructor(client: WorkerClient) {
    this.#client = client;
  }

  claim(claim: SourceClaim): Promise<StoredSource> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ claim, resolve, reject });
      if (!this.#isSending) void this.#send();
    });
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST_AT_ONCE);
      const claims = batch.map(({ claim }) => claim);
      try {
        const stored = await this.#client.call('claimSources', claims, ownProcessToken());
        for (const [index, { claim, resolve }] of batch.entries()) {
          resolve(stored[index] ?? claim.source);
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isSending = false;
  }
}
