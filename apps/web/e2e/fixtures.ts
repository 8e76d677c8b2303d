import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { test as base, expect, type Page } from '@playwright/test';

const CLI = fileURLToPath(new URL('../../cli/bin/misstep.js', import.meta.url));
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\/\S*token=[\w-]+/;

/** The app as a person has it: the built command with a data folder of its own. */
export class App {
  readonly folder: string;
  #process: ChildProcess | null = null;
  #url = '';

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Address of this start, with its token. */
  get url(): string {
    return this.#url;
  }

  /** Process of this start; null = it does not run. */
  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  get origin(): string {
    return new URL(this.#url).origin;
  }

  async start(...extra: string[]): Promise<void> {
    const child = spawn(
      process.execPath,
      [CLI, 'serve', '--port', '0', '--data', path.join(this.folder, 'data'), ...extra],
      { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, CI: 'true' } },
    );
    this.#process = child;
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const address = ADDRESS.exec(line)?.[0];
      if (address === undefined) continue;
      this.#url = address;
      return;
    }
    throw new Error(`the app ended before it printed its address:\n${errors}`);
  }

  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (child === null || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }

  /** The command on the same data folder; gives what it printed on stdout. */
  async cli(...args: string[]): Promise<string> {
    // What stands after `--` is a command of its own.
    const dashes = args.indexOf('--');
    const end = dashes < 0 ? args.length : dashes;
    const data = ['--data', path.join(this.folder, 'data')];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [CLI, ...args.slice(0, end), ...data, ...args.slice(end)],
      { maxBuffer: 256 * 1024 * 1024 },
    );
    return stdout;
  }

  /** Writes a file into the test's folder and imports it; gives the id of its first run. */
  async importText(name: string, text: string): Promise<string> {
    const file = path.join(this.folder, name);
    await writeFile(file, text);
    const line: unknown = JSON.parse(
      (await this.cli('import', '--json', file)).split('\n')[0] ?? '',
    );
    const id = /"id":"(r[0-9a-z]{20})"/.exec(JSON.stringify(line))?.[1];
    if (id === undefined) throw new Error(`nothing was imported: ${JSON.stringify(line)}`);
    return id;
  }

  /** Opens a page of the app, past the token. */
  async open(page: Page, where = '/runs'): Promise<void> {
    await page.goto(this.#url);
    await page.goto(new URL(where, this.origin).href);
  }
}

/** What no page of Misstep may ever do, whatever it shows. */
export interface Watch {
  readonly errors: string[];
  readonly dialogs: string[];
  readonly foreignRequests: string[];
}

export const test = base.extend<{ app: App; watch: Watch }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern here
  app: async ({}, use) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'misstep-e2e-'));
    const app = new App(folder);
    try {
      await use(app);
    } finally {
      await app.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  },
  watch: [
    async ({ page, app }, use) => {
      const watch: Watch = { errors: [], dialogs: [], foreignRequests: [] };
      page.on('pageerror', (error) => watch.errors.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') watch.errors.push(message.text());
      });
      page.on('dialog', (dialog) => {
        watch.dialogs.push(dialog.message());
        void dialog.dismiss();
      });
      page.on('request', (request) => {
        const url = request.url();
        if (/^(data|blob):/.test(url)) return;
        if (app.url !== '' && !url.startsWith(app.origin)) watch.foreignRequests.push(url);
      });
      await use(watch);
      expect(watch.errors).toEqual([]);
      expect(watch.dialogs).toEqual([]);
      expect(watch.foreignRequests).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
