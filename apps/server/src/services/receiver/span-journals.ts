import { createReadStream } from 'node:fs';
import {
  appendFile,
  copyFile,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  truncate,
} from 'node:fs/promises';
import { join } from 'node:path';
import { encodeSpanJournalStart, type RunId, RunIdSchema } from '@misstep/model';
import { isProcessAlive, ownProcessToken, type Store } from '@misstep/store';
import { reportFault } from '../../errors/report-fault.ts';
import type { ImportService } from '../import-service.ts';

const FORMAT = 'otlp-received';
/** Spans that come close together are read together. */
const SAVE_AFTER_MS = 250;
/** A large trace is read anew whenever it grows: between two readings there are as many times what one took. */
const REST_FACTOR = 4;
const LARGE_BYTES = 1_048_576;
const RETRY_MS = 10_000;
/** The file of a trace that has not grown for that long goes: its bytes are a source by then. */
const IDLE_MS = 60_000;

interface Journal {
  readonly traceId: string;
  readonly path: string;
  sizeBytes: number;
  savedBytes: number;
  touchedMs: number;
}

/**
 * One growing file a trace, in which bodies stand byte for byte before they are acknowledged. Files
 * become sources (and runs) a moment later, as files that have grown do. What a killed process
 * left is taken up at the next start.
 */
export class SpanJournals {
  readonly #store: Store;
  readonly #imports: ImportService;
  readonly #onSaved: (runIds: readonly RunId[]) => void;
  readonly #journals = new Map<string, Journal>();
  /** Writes wait for one another. */
  #turn: Promise<void> = Promise.resolve();
  #ready: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #dueMs = 0;
  #saving: Promise<void> | null = null;
  #restMs = SAVE_AFTER_MS;
  #isClosed = false;

  constructor(store: Store, imports: ImportService, onSaved: (runIds: readonly RunId[]) => void) {
    this.#store = store;
    this.#imports = imports;
    this.#onSaved = onSaved;
  }

  /** Takes up what an earlier process left. */
  start(): Promise<void> {
    this.#ready ??= this.#inTurn(() => this.#recover());
    return this.#ready;
  }

  /** Resolves once the record is in the file of every trace. */
  async append(traceIds: Iterable<string>, record: Uint8Array): Promise<void> {
    await this.start();
    await this.#inTurn(async () => {
      for (const traceId of traceIds) await this.#appendTo(traceId, record);
    });
    this.#schedule(this.#restMs);
  }

  /** Saves what came so far; for tests and the end. */
  async settle(): Promise<void> {
    await this.#turn;
    await this.#saving;
    await this.#save();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.settle().catch(reportFault);
    await this.#inTurn(() => this.#forget(0));
  }

  get #folder(): string {
    return join(this.#store.dataFolder, 'receiving');
  }

  #pathOf(traceId: string): string {
    return join(this.#folder, `${ownProcessToken()}.${traceId}.spans`);
  }

  async #recover(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.#folder)) {
      const match = /^([^.]+)\.([0-9a-f]{32})\.spans$/.exec(name);
      const [, token = '', traceId = ''] = match ?? [];
      if (match === null || isProcessAlive(token)) continue;
      const path = this.#pathOf(traceId);
      await rename(join(this.#folder, name), path);
      await this.#closeLastLine(path);
      await this.#add(traceId, path, 0);
    }
    if (this.#journals.size > 0) this.#schedule(0);
  }

  async #appendTo(traceId: string, record: Uint8Array): Promise<void> {
    const journal = this.#journals.get(traceId) ?? (await this.#begin(traceId));
    journal.touchedMs = performance.now();
    try {
      await appendFile(journal.path, record);
    } catch (error) {
      // Half a record would be damage that nobody was told of.
      await truncate(journal.path, journal.sizeBytes).catch(() => undefined);
      throw error;
    }
    journal.sizeBytes += record.length;
  }

  /** A trace that was saved before goes on where its source ends. */
  async #begin(traceId: string): Promise<Journal> {
    const path = this.#pathOf(traceId);
    const runs = await this.#store.findRunsByNaturalId(FORMAT, traceId);
    const [source] = runs
      .flatMap(({ sources }) => sources)
      .sort((a, b) => b.sizeBytes - a.sizeBytes);
    if (source === undefined) {
      const file = await open(path, 'w', 0o600);
      await file.writeFile(encodeSpanJournalStart(traceId)).finally(() => file.close());
      return this.#add(traceId, path, 0);
    }
    await copyFile(await this.#store.sourcePath(source.sha256), path);
    await this.#closeLastLine(path);
    return this.#add(traceId, path, source.sizeBytes);
  }

  async #add(traceId: string, path: string, savedBytes: number): Promise<Journal> {
    const { size } = await stat(path);
    const touchedMs = performance.now();
    const journal: Journal = { traceId, path, sizeBytes: size, savedBytes, touchedMs };
    this.#journals.set(traceId, journal);
    return journal;
  }

  /** Behind a torn record the next one must begin on a line of its own. */
  async #closeLastLine(path: string): Promise<void> {
    const file = await open(path, 'r+');
    try {
      const { size } = await file.stat();
      const last = new Uint8Array(1);
      if (size > 0) await file.read(last, 0, 1, size - 1);
      if (size > 0 && last[0] !== 10) await file.write('\n', size);
    } finally {
      await file.close();
    }
  }

  /** The earlier of what is planned and what is asked for. */
  #schedule(delayMs: number): void {
    const dueMs = performance.now() + delayMs;
    if (this.#isClosed || (this.#timer !== null && this.#dueMs <= dueMs)) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#dueMs = dueMs;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#save().catch((error: unknown) => {
        reportFault(error);
        this.#schedule(RETRY_MS);
      });
    }, delayMs).unref();
  }

  async #save(): Promise<void> {
    while (this.#saving !== null) await this.#saving;
    this.#saving = this.#saveGrown().finally(() => {
      this.#saving = null;
    });
    await this.#saving;
  }

  async #saveGrown(): Promise<void> {
    const startedMs = performance.now();
    const grown = [...this.#journals.values()]
      .filter(({ sizeBytes, savedBytes }) => sizeBytes > savedBytes)
      .map((journal) => ({ journal, sizeBytes: journal.sizeBytes }));
    if (grown.length > 0) {
      const outcomes = await this.#imports.importFiles(
        grown.map(({ journal, sizeBytes }) => ({
          path: journal.path,
          name: `${journal.traceId}.spans`,
          open: () => createReadStream(journal.path, { end: sizeBytes - 1 }),
        })),
        { format: FORMAT },
      );
      const runIds: RunId[] = [];
      for (const { journal, sizeBytes } of grown) {
        const outcome = outcomes.find(({ path }) => path === journal.path);
        const error = outcome?.error ?? null;
        if (error !== null && error.code !== 'IMPORT_UNREADABLE') throw error;
        journal.savedBytes = sizeBytes;
        for (const run of outcome?.runs ?? []) runIds.push(RunIdSchema.parse(run.id));
      }
      this.#onSaved(runIds);
    }
    const tookMs = performance.now() - startedMs;
    const readBytes = grown.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const rest = readBytes < LARGE_BYTES ? 1 : REST_FACTOR;
    this.#restMs = Math.max(SAVE_AFTER_MS, tookMs * rest);
    await this.#inTurn(() => this.#forget(IDLE_MS));
    if (this.#journals.size > 0) {
      const isBehind = [...this.#journals.values()].some(
        (each) => each.sizeBytes > each.savedBytes,
      );
      this.#schedule(isBehind ? this.#restMs : IDLE_MS);
    }
  }

  async #forget(idleMs: number): Promise<void> {
    const untilMs = performance.now() - idleMs;
    for (const { traceId, path, sizeBytes, savedBytes, touchedMs } of this.#journals.values()) {
      if (sizeBytes > savedBytes || touchedMs > untilMs) continue;
      this.#journals.delete(traceId);
      await rm(path, { force: true });
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }
}
