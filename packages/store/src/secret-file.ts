import { randomBytes } from 'node:crypto';
import { chmod, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { MisstepError } from '@misstep/model';
import { z } from 'zod';
import { onFileSystem } from './data-folder.ts';
import { errorCode } from './failure.ts';
import { layout } from './layout.ts';
import { isProcessAlive, ownProcessToken } from './process-token.ts';

const FILE_MODE = 0o600;
const OTHERS = 0o077;
const LOCK_WAIT_MS = 10_000;
const LOCK_LOOK_MS = 20;
/** A lock that says of no process yet whose it is may be about to. */
const UNSIGNED_LOCK_MS = 5000;

const StoredSecretSchema = z.object({
  targetName: z.string(),
  /** `oauth` = the tokens of a sign-in, as JSON. */
  kind: z.enum(['environment', 'header', 'oauth']),
  name: z.string(),
  /** What the value may be used for, see `secretBinding` of the model. */
  boundTo: z.string(),
  value: z.string(),
  savedAt: z.string(),
});
export type StoredSecret = z.infer<typeof StoredSecretSchema>;

const SecretsSchema = z.object({ version: z.literal(1), secrets: z.array(StoredSecretSchema) });

/**
 * Values that no database, log or answer may hold: one file beside the database, for its owner's
 * eyes alone, replaced as a whole. Several processes may write it.
 */
export class SecretFile {
  readonly #dataFolder: string;
  readonly #path: string;
  readonly #onLog: (line: string) => void;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(dataFolder: string, onLog: (line: string) => void = () => undefined) {
    this.#dataFolder = dataFolder;
    this.#path = layout.secrets(dataFolder);
    this.#onLog = onLog;
  }

  /** Anew from disk. SECRETS_UNREADABLE where it isn't ours, DATA_FOLDER_NEWER where a later one's. */
  async read(): Promise<readonly StoredSecret[]> {
    return onFileSystem(this.#dataFolder, async () => {
      const text = await this.#readText();
      return text === null ? [] : this.#parse(text);
    });
  }

  /** Replaces the list by what `change` makes of it, under a lock; the same list writes nothing. */
  update(
    change: (secrets: readonly StoredSecret[]) => readonly StoredSecret[],
  ): Promise<readonly StoredSecret[]> {
    const next = this.#writing.then(() =>
      onFileSystem(this.#dataFolder, () =>
        this.#locked(async () => {
          const before = await this.read();
          const after = change(before);
          if (after !== before) await this.#write(after);
          return after;
        }),
      ),
    );
    this.#writing = next.catch(() => undefined);
    return next;
  }

  async #readText(): Promise<string | null> {
    try {
      await this.#narrow();
      return await readFile(this.#path, 'utf8');
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
  }

  /** Others may have read it already, so this is said. */
  async #narrow(): Promise<void> {
    const { mode } = await stat(this.#path);
    if (process.platform === 'win32' || (mode & OTHERS) === 0) return;
    await chmod(this.#path, FILE_MODE);
    const was = (mode & 0o777).toString(8).padStart(4, '0');
    this.#onLog(
      `${this.#path} was open to other users (mode ${was}); it is 0600 now. Change the values in it if others use this machine.`,
    );
  }

  #parse(text: string): readonly StoredSecret[] {
    let data: unknown;
    try {
      data = JSON.parse(text);
    } catch {
      // The parser's own message quotes the text.
      throw this.#unreadable('is no JSON');
    }
    const read = SecretsSchema.safeParse(data);
    if (read.success) return read.data.secrets;
    const version = z.object({ version: z.number() }).safeParse(data);
    if (version.success && version.data.version > 1) {
      throw new MisstepError('DATA_FOLDER_NEWER', `${this.#path} was written by a newer Misstep.`, {
        dataFolder: this.#dataFolder,
      });
    }
    throw this.#unreadable('does not have the form that Misstep writes');
  }

  #unreadable(why: string): MisstepError {
    return new MisstepError('SECRETS_UNREADABLE', `${this.#path} ${why}.`);
  }

  /** Whole or not at all, also where the process is killed. */
  async #write(secrets: readonly StoredSecret[]): Promise<void> {
    const beside = `${this.#path}.${randomBytes(6).toString('hex')}.tmp`;
    try {
      const file = await open(beside, 'wx', FILE_MODE);
      try {
        await file.writeFile(`${JSON.stringify({ version: 1, secrets }, null, 1)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(beside, this.#path);
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
  }

  async #locked<T>(work: () => Promise<T>): Promise<T> {
    const lock = `${this.#path}.lock`;
    const endMs = performance.now() + LOCK_WAIT_MS;
    while (!(await takeLock(lock))) {
      await dropDeadLock(lock);
      if (performance.now() > endMs) {
        throw new MisstepError('INTERNAL', `Another process has kept ${lock} for too long.`);
      }
      await new Promise((resolve) => setTimeout(resolve, LOCK_LOOK_MS));
    }
    try {
      return await work();
    } finally {
      await rm(lock, { force: true });
    }
  }
}

async function takeLock(lock: string): Promise<boolean> {
  try {
    const file = await open(lock, 'wx', FILE_MODE);
    await file.writeFile(ownProcessToken());
    await file.close();
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function dropDeadLock(lock: string): Promise<void> {
  try {
    const [token, { mtimeMs }] = [await readFile(lock, 'utf8'), await stat(lock)];
    const isDead = token === '' ? Date.now() - mtimeMs > UNSIGNED_LOCK_MS : !isProcessAlive(token);
    if (isDead) await rm(lock, { force: true });
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
