import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { MisstepError, type Price, PriceSchema } from '@misstep/model';
import { z } from 'zod';
import { onFileSystem } from './data-folder.ts';
import { errorCode } from './failure.ts';
import { layout } from './layout.ts';

const PricesSchema = z.object({ version: z.literal(1), prices: z.array(PriceSchema) });

export interface StoredPrices {
  readonly prices: readonly Price[];
  /** Why the file can't be used; it is left as it is then. Null = it is fine, or there is none. */
  readonly problem: string | null;
}

/** The person's own prices: a file in the data folder that may be edited by hand as well. */
export class PriceFile {
  readonly path: string;
  readonly #dataFolder: string;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(dataFolder: string) {
    this.#dataFolder = dataFolder;
    this.path = layout.prices(dataFolder);
  }

  /** Anew from disk; a damaged file is told and not thrown, so that runs can still be listed. */
  read(): Promise<StoredPrices> {
    return onFileSystem(this.#dataFolder, async () => {
      try {
        return this.#parse(await readFile(this.path, 'utf8'));
      } catch (error) {
        const code = errorCode(error);
        if (code === 'ENOENT') return { prices: [], problem: null };
        // A folder of that name, a file of somebody else: costs are no reason to show no run.
        if (code !== null) return { prices: [], problem: `${this.path} cannot be read (${code}).` };
        throw error;
      }
    });
  }

  /** Replaces the list by what `change` makes of it. PRICES_UNREADABLE where the file is damaged. */
  update(change: (prices: readonly Price[]) => readonly Price[]): Promise<void> {
    const next = this.#writing.then(async () => {
      const { prices, problem } = await this.read();
      if (problem !== null) throw new MisstepError('PRICES_UNREADABLE', problem);
      await onFileSystem(this.#dataFolder, () => this.#write(change(prices)));
    });
    this.#writing = next.catch(() => undefined);
    return next;
  }

  #parse(text: string): StoredPrices {
    const unusable = (why: string) => ({ prices: [], problem: `${this.path} ${why}` });
    let data: unknown;
    try {
      data = JSON.parse(text);
    } catch {
      return unusable('is no JSON.');
    }
    const read = PricesSchema.safeParse(data);
    if (read.success) {
      const twice = firstTwice(read.data.prices);
      if (twice === null) return { prices: read.data.prices, problem: null };
      return unusable(`has two prices of ${JSON.stringify(twice)}.`);
    }
    const [issue] = read.error.issues;
    const place = issue === undefined ? '' : `/${issue.path.join('/')}: ${issue.message}`;
    return unusable(`does not have the form of docs/prices.md (${place}).`);
  }

  /** Whole or not at all, also where the process is killed. */
  async #write(prices: readonly Price[]): Promise<void> {
    const beside = `${this.path}.${randomBytes(6).toString('hex')}.tmp`;
    try {
      const file = await open(beside, 'wx');
      try {
        await file.writeFile(`${JSON.stringify({ version: 1, prices }, null, 2)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(beside, this.path);
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
  }
}

/** A model with two prices; which of them is meant nobody knows. Letters' case makes no other model. */
function firstTwice(prices: readonly Price[]): string | null {
  const seen = new Set<string>();
  for (const { model } of prices) {
    const key = model.trim().toLowerCase();
    if (seen.has(key)) return model;
    seen.add(key);
  }
  return null;
}
