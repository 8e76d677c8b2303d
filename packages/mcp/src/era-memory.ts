import type { TargetAddress } from '@misstep/model';
import type { ProtocolEra } from './connection-options.ts';

/**
 * Remembers for one process which era a server is of, so that a legacy one gets a probe that it
 * doesn't know only once (MCP 2026-07-28, versioning: clients should keep the result).
 */
export class EraMemory {
  readonly #eras = new Map<string, ProtocolEra>();

  /** Null where nothing is known. */
  recall(address: TargetAddress): ProtocolEra | null {
    return this.#eras.get(JSON.stringify(address)) ?? null;
  }

  /** `era` null = forget it. */
  remember(address: TargetAddress, era: ProtocolEra | null): void {
    if (era === null) this.#eras.delete(JSON.stringify(address));
    else this.#eras.set(JSON.stringify(address), era);
  }
}
