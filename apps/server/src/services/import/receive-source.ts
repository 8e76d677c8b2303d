import type { Store, StoredSource } from '@misstep/store';
import { SmallBytes } from './bytes-at-hand.ts';

/**
 * Writes bytes into the store as they come. Whatever goes wrong on the way (also an aborted
 * signal, or `check` throwing) leaves nothing behind.
 */
export async function receiveSource(
  store: Store,
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  options: {
    readonly signal: AbortSignal;
    /** Called with the bytes so far after each chunk and before the source is finished. */
    readonly onBytes?: (receivedBytes: number) => void;
    readonly beforeFinish?: (receivedBytes: number) => void;
    /** Whether a small source's bytes are kept for those who read it next; only where few come at a time. */
    readonly keepsSmall?: boolean;
  },
): Promise<StoredSource> {
  options.signal.throwIfAborted();
  const writer = await store.createSource(name);
  const small = options.keepsSmall === true ? new SmallBytes() : null;
  try {
    let receivedBytes = 0;
    for await (const chunk of chunks) {
      options.signal.throwIfAborted();
      receivedBytes += chunk.length;
      options.onBytes?.(receivedBytes);
      small?.add(chunk);
      await writer.write(chunk);
    }
    options.signal.throwIfAborted();
    options.beforeFinish?.(receivedBytes);
    const source = await writer.finish();
    small?.keepFor(source);
    return source;
  } catch (error) {
    await writer.abort();
    throw error;
  }
}
