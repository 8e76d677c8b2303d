import { createHash } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, writeSync } from 'node:fs';
import type { TapRecord } from '@misstep/mcp';
import {
  encodeFrameRecord,
  FRAME_LOG_MAGIC,
  type FrameTransport,
  type Receipt,
  SourceHashSchema,
} from '@misstep/model';

const OWNER_ONLY = 0o600;

/**
 * Appends records to a frame log, each written before `append` returns: what a server sent is in
 * the file before anything reads it, so a crash loses nothing that was acted upon. The first
 * failure is kept, later records are dropped, and the owner is told through `onFailure`.
 */
export class FrameLogWriter {
  readonly #file: number;
  readonly #transport: FrameTransport;
  readonly #connection: string;
  readonly #onFailure: (error: unknown) => void;
  readonly #hash = createHash('sha256');
  #sizeBytes = 0;
  readonly #isWholeSeen: boolean;
  #failure: unknown = null;
  #isOpen = true;

  /** Throws where the file can't be opened. */
  constructor(
    path: string,
    transport: FrameTransport,
    connection: string,
    onFailure: (error: unknown) => void,
  ) {
    this.#file = openSync(path, 'a', OWNER_ONLY);
    this.#transport = transport;
    this.#connection = connection;
    this.#onFailure = onFailure;
    this.#isWholeSeen = fstatSync(this.#file).size === 0;
    if (this.#isWholeSeen) this.#write(Buffer.from(FRAME_LOG_MAGIC, 'latin1'));
  }

  append(record: TapRecord): void {
    this.#write(
      encodeFrameRecord({
        lane: record.lane,
        monotonicNs: record.atNs,
        wallNs: record.wallNs,
        transport: this.#transport,
        connection: this.#connection,
        payload: record.bytes,
      }),
    );
  }

  /** Makes the file durable. Throws the first failure there was. */
  close(): void {
    if (this.#isOpen) {
      this.#isOpen = false;
      try {
        fsyncSync(this.#file);
      } catch (error) {
        this.#failure ??= error;
      } finally {
        closeSync(this.#file);
      }
    }
    if (this.#failure !== null) throw this.#failure;
  }

  /** The file as this writer made it, once closed; undefined where it went on with another's. */
  whole(): Receipt['frameLog'] {
    if (!this.#isWholeSeen) return undefined;
    const sha256 = SourceHashSchema.parse(this.#hash.copy().digest('hex'));
    return { sizeBytes: this.#sizeBytes, sha256 };
  }

  #write(bytes: Uint8Array): void {
    if (this.#failure !== null || !this.#isOpen) return;
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
      this.#hash.update(bytes);
      this.#sizeBytes += bytes.length;
    } catch (error) {
      this.#failure = error;
      this.#onFailure(error);
    }
  }
}
