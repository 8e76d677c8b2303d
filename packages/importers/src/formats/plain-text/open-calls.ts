import type { Step } from '@misstep/model';

export interface OpenCall {
  readonly step: Step;
  /** JSON-RPC id as written; null = the text gives none. */
  readonly idText: string | null;
}

/** Calls that wait for a result, oldest first. */
export class OpenCalls {
  readonly #open = new Set<OpenCall>();
  readonly #byName = new Map<string, Set<OpenCall>>();
  readonly #byId = new Map<string, OpenCall>();
  readonly #inOrder: OpenCall[] = [];

  get size(): number {
    return this.#open.size;
  }

  add(call: OpenCall): void {
    this.#open.add(call);
    this.#inOrder.push(call);
    if (call.idText !== null) this.#byId.set(call.idText, call);
    for (const name of namesOf(call.step)) {
      const sharing = this.#byName.get(name);
      if (sharing === undefined) this.#byName.set(name, new Set([call]));
      else sharing.add(call);
    }
  }

  hasName(name: string): boolean {
    return (this.#byName.get(name)?.size ?? 0) > 0;
  }

  /** Did any call have that name, whether or not it waits? */
  knowsName(name: string): boolean {
    return this.#byName.has(name);
  }

  /**
   * By id, else the oldest waiting call of that name, else the call of that ordinal (from 1) where
   * it waits, else the oldest waiting call.
   */
  take(
    idText: string | null,
    name: string | null,
    ordinal: number | null = null,
  ): { step: Step; by: 'id' | 'name-and-order' | 'order' } | null {
    const byId = idText === null ? undefined : this.#byId.get(idText);
    if (byId !== undefined) return this.#remove(byId, 'id');
    const [byName] = (name === null ? undefined : this.#byName.get(name)) ?? [];
    if (byName !== undefined) return this.#remove(byName, 'name-and-order');
    const counted = ordinal === null ? undefined : this.#inOrder[ordinal - 1];
    if (counted !== undefined && this.#open.has(counted)) return this.#remove(counted, 'order');
    const [oldest] = this.#open;
    return oldest === undefined ? null : this.#remove(oldest, 'order');
  }

  #remove<By extends string>(call: OpenCall, by: By): { step: Step; by: By } {
    this.#open.delete(call);
    if (call.idText !== null && this.#byId.get(call.idText) === call) {
      this.#byId.delete(call.idText);
    }
    for (const name of namesOf(call.step)) this.#byName.get(name)?.delete(call);
    return { step: call.step, by };
  }
}

/** The ways in which a result may name a call. */
function namesOf({ name, server, tool }: Step): Set<string> {
  const names = new Set([name]);
  if (tool !== null) names.add(tool);
  if (tool !== null && server !== null) {
    names.add(`${server}/${tool}`);
    names.add(`${server}.${tool}`);
    names.add(`mcp__${server}__${tool}`);
  }
  return names;
}
