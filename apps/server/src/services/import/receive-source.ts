import type { Store, StoredSource } from '@misstep/store';

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
  },
): Promise<StoredSource> {
  options.signal.throwIfAborted();
  const writer = await store.createSource(name);
  try {
    let receivedBytes = 0;
    for await (const chunk of chunks) {
      options.signal.throwIfAborted();
      receivedBytes += chunk.length;
      options.onBytes?.(receivedBytes);
      await writer.write(chunk);
    }
    options.signal.throwIfAborted();
    options.beforeFinish?.(receivedBytes);
    return await writer.finish();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}
