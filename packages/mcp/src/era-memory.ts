import type { TargetAddress } from '@misstep/model';

/**
 * Remembers for one process which servers are legacy, so that a probe which they don't know is sent
 * to each of them once (MCP 2026-07-28, versioning: clients should keep the result).
 */
export class EraMemory {
  readonly #legacy = new Set<string>();

  isLegacy(address: TargetAddress): boolean {
    return this.#legacy.has(JSON.stringify(address));
  }

  remember(address: TargetAddress, isLegacy: boolean): void {
    if (isLegacy) this.#legacy.add(JSON.stringify(address));
    else this.#legacy.delete(JSON.stringify(address));
  }
}
