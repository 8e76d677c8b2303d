import { stat } from 'node:fs/promises';
import type { KnownSecret, SecretSource } from '@misstep/mcp';
import type { Target, TargetName, Ulid } from '@misstep/model';
import {
  type AskedToolList,
  findTextSecrets,
  readLoggedCall,
  valuesAtPlaces,
} from '@misstep/replay';
import type { Store, StoredReplay } from '@misstep/store';
import { readFrameLogFile } from '../replay/frame-log-file.ts';

/** A server's tools as it listed them, and when. */
export interface KnownToolList {
  readonly from: 'replay' | 'asked';
  readonly replayId: Ulid | null;
  /** ISO 8601. */
  readonly at: string;
  readonly server: { readonly name: string | null; readonly version: string | null };
  readonly tools: AskedToolList['tools'];
  /**
   * What of it was a secret when the server was asked, as it stands in these very texts: checking
   * needs them whole, and the target may have another value since. For a replay its places tell.
   */
  readonly holds: readonly KnownSecret[];
}

/** The newest replays are looked through for one of the target's; older lists say little of today. */
const REPLAYS_LOOKED_AT = 100;
const MOST_READ_BYTES = 134_217_728;
const MOST_KEPT = 16;

/**
 * What servers last said of their tools: in the frames of replays, which are kept, and when they
 * were asked, which lasts for this start. Asking this connects to nobody.
 */
export class KnownToolLists {
  readonly #store: Store;
  readonly #asked = new Map<TargetName, { readonly key: string; readonly list: KnownToolList }>();
  readonly #read = new Map<Ulid, KnownToolList | null>();

  constructor(store: Store) {
    this.#store = store;
  }

  remember(
    target: Target,
    { tools, handshake }: AskedToolList,
    secrets: SecretSource,
  ): KnownToolList {
    const { serverName, serverVersion } = handshake;
    const texts = tools.map(({ definitionText }) => definitionText);
    const text = [serverName ?? '', serverVersion ?? '', ...texts].join('\n');
    const list: KnownToolList = {
      from: 'asked',
      replayId: null,
      at: new Date().toISOString(),
      server: { name: serverName, version: serverVersion },
      tools,
      holds: valuesAtPlaces(findTextSecrets(text, secrets), (offset, length) =>
        text.slice(offset, offset + length),
      ),
    };
    this.#asked.set(target.name, { key: keyOf(target), list });
    return list;
  }

  /** Null where this server, at this address, has not listed its tools yet. */
  async newest(target: Target): Promise<KnownToolList | null> {
    const asked = this.#asked.get(target.name);
    const told = asked?.key === keyOf(target) ? asked.list : null;
    const address = JSON.stringify(target.address);
    const { replays } = await this.#store.listReplays({ limit: REPLAYS_LOOKED_AT });
    for (const replay of replays) {
      if (told !== null && replay.startedAt < told.at) break;
      const { receipt } = replay;
      if (replay.targetName !== target.name || receipt === null) continue;
      // Another command under the same name is another server.
      if (JSON.stringify(receipt.target.address) !== address) continue;
      const list = await this.#listOf(replay);
      if (list !== null) return list;
    }
    return told;
  }

  async #listOf(replay: StoredReplay): Promise<KnownToolList | null> {
    const known = this.#read.get(replay.id);
    if (known !== undefined) return known;
    const list = await readListOf(replay);
    this.#read.set(replay.id, list);
    const [oldest] = this.#read.keys();
    if (this.#read.size > MOST_KEPT && oldest !== undefined) this.#read.delete(oldest);
    return list;
  }
}

async function readListOf({ id, startedAt, frameLogPath }: StoredReplay) {
  const size = await stat(frameLogPath).catch(() => null);
  if (size === null || size.size > MOST_READ_BYTES) return null;
  const { listedTools, handshake } = readLoggedCall(await readFrameLogFile(frameLogPath));
  if (listedTools.length === 0) return null;
  const { serverName, serverVersion } = handshake;
  const server = { name: serverName, version: serverVersion };
  // Copies: a definition's bytes are a part of the whole log, which would stay in memory.
  const tools = listedTools.map((tool) => ({
    ...tool,
    definitionBytes: Uint8Array.from(tool.definitionBytes),
  }));
  return { from: 'replay', replayId: id, at: startedAt, server, tools, holds: [] } as const;
}

function keyOf(target: Target): string {
  return JSON.stringify([target.address, target.settings]);
}
