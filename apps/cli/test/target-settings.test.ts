import { readFile, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { startOAuthMcp } from '@misstep/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCommandLine } from '../src/run-command-line.ts';
import { type Finished, makeFolder, misstep } from './support.ts';

const KEY = 'shelf-key-0123456789';

/** Nothing that was printed holds a value. */
function expectSilent(...finished: Finished[]): void {
  for (const { out, err } of finished) expect(out + err).not.toContain(KEY);
}

describe('the values of a target', () => {
  test('come from standard input, are listed by name, and go', async () => {
    const dataFolder = await makeFolder();
    const piped = JSON.stringify({ environment: { SHELF_KEY: KEY } });
    const add = [
      'target',
      'add',
      'depot',
      '--json',
      '--secrets-stdin',
      '--env',
      'LATER',
      '--protocol',
      '2025-06-18',
    ];
    const added = await misstep(dataFolder, [...add, '--yes', '--', 'depot'], piped);
    expect(added.exitCode).toBe(0);
    expect(added.documents()).toMatchObject([
      {
        description: 'depot (environment: LATER, SHELF_KEY)',
        confirmedAt: expect.any(String),
        settings: { protocolRevision: '2025-06-18' },
      },
    ]);
    expect(added.err).toContain('LATER has no value yet');
    const listed = await misstep(dataFolder, ['target', 'secrets', 'depot', '--json']);
    expect(listed.documents()).toEqual([
      { type: 'secret', kind: 'environment', name: 'LATER', state: 'missing' },
      { type: 'secret', kind: 'environment', name: 'SHELF_KEY', state: 'set' },
      { type: 'signIn', state: 'signedOut', authority: null, expiresAt: null, problem: null },
    ]);
    const inWords = await misstep(dataFolder, ['target', 'secrets', 'depot']);
    expect(inWords.out).toBe(
      'KIND         NAME       VALUE\nenvironment  LATER      missing\nenvironment  SHELF_KEY  set\n',
    );
    const gone = await misstep(dataFolder, ['target', 'secrets', 'depot', '--remove', 'SHELF_KEY']);
    expect(gone.out).not.toContain('SHELF_KEY');
    expect(await readFile(join(dataFolder, 'secrets.json'), 'utf8')).not.toContain(KEY);
    expectSilent(added, listed, inWords, gone);
  });

  test('are changed by target set, which asks again where what goes out is another', async () => {
    const dataFolder = await makeFolder();
    await misstep(dataFolder, [
      'target',
      'add',
      'depot',
      '--yes',
      '--url',
      'http://127.0.0.1:1/mcp',
    ]);
    const piped = JSON.stringify({ headers: { 'X-Shelf': 'x' }, bearer: KEY });
    const set = (words: string[], stdin = '') =>
      misstep(dataFolder, ['target', 'set', 'depot', '--json', ...words], stdin);
    const changed = await set(['--secrets-stdin'], piped);
    expect(changed.documents()).toMatchObject([
      {
        confirmedAt: null,
        description: 'http://127.0.0.1:1/mcp (headers: X-Shelf, Authorization)',
        secrets: [{ state: 'set' }, { state: 'set' }],
      },
    ]);
    expect(changed.err).toContain('misstep target confirm depot');
    expect(
      (await set(['--yes', '--url', 'http://127.0.0.1:2/sse', '--sse'])).documents(),
    ).toMatchObject([
      {
        confirmedAt: expect.any(String),
        secrets: [{ state: 'otherAddress' }, { state: 'otherAddress' }],
      },
    ]);
    const kept = await set(['--protocol', 'auto']);
    expect(kept.documents()).toMatchObject([{ confirmedAt: expect.any(String) }]);
    const moved = await set(['--', 'depot', '--flag']);
    expect(moved.documents()).toMatchObject([
      {
        address: { command: 'depot', args: ['--flag'] },
        settings: { headerNames: [] },
        secrets: [],
      },
    ]);
    expect((await set(['--cwd', '/'])).documents()).toMatchObject([{ address: { cwd: '/' } }]);
    expectSilent(changed, kept, moved);
  });

  test('can’t be given on the command line, nor in a form that is none', async () => {
    const dataFolder = await makeFolder();
    const add = (words: string[], stdin = '') =>
      misstep(dataFolder, ['target', 'add', 'depot', ...words, '--', 'depot'], stdin);
    for (const [words, stdin] of [
      [['--env', `SHELF_KEY=${KEY}`], ''],
      [['--header', `Authorization: ${KEY}`], ''],
      [['--secrets-stdin'], KEY],
      [['--secrets-stdin'], `["${KEY}"]`],
      [['--secrets-stdin'], `{"environment":{"A":["${KEY}"]}}`],
      [['--secrets-stdin'], `{"bearer":{"a":"${KEY}"}}`],
      [['--secrets-stdin'], `{"env":{"A":"${KEY}"}}`],
      [['--protocol', '2020-01-01'], ''],
      [['--sse'], ''],
    ] as const) {
      const finished = await add([...words], stdin);
      expect([words, finished.exitCode]).toEqual([words, 2]);
      expectSilent(finished);
    }
    expect((await misstep(dataFolder, ['target', 'list', '--json'])).documents()).toEqual([]);
  });

  test('are taken from the environment by name, which is said', async () => {
    const dataFolder = await makeFolder();
    const caught: string[] = [];
    const sink = () =>
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          caught.push(chunk.toString());
          done();
        },
      });
    const exitCode = await runCommandLine(
      ['target', 'add', 'depot', '--env', 'SHELF_KEY', '--', 'depot'],
      {
        stdin: Readable.from([]),
        stdout: sink(),
        stderr: sink(),
        environment: { MISSTEP_DATA: dataFolder, SHELF_KEY: KEY },
        platform: process.platform,
      },
      new AbortController().signal,
    );
    expect(exitCode).toBe(0);
    expect(caught.join('')).toContain('SHELF_KEY: the value of this environment is taken.');
    expect(caught.join('')).not.toContain(KEY);
    expect(await readFile(join(dataFolder, 'secrets.json'), 'utf8')).toContain(KEY);
  });
});

describe('target import', () => {
  async function config() {
    const folder = await makeFolder();
    const file = join(folder, 'mcp.json');
    const root = ['$', '{root}'].join('');
    const servers = {
      shelves: { command: 'shelves', args: [root], env: { SHELF_KEY: KEY } },
      off: { command: 'off', disabled: true },
      none: {},
    };
    await writeFile(file, `// mine\n${JSON.stringify({ mcpServers: servers }).slice(0, -1)},}`);
    return {
      file,
      run: (...words: string[]) =>
        misstep(join(folder, 'data'), ['target', 'import', file, ...words]),
    };
  }

  test('lists what a file holds, and keeps nothing unasked', async () => {
    const { run } = await config();
    const listed = await run('--json');
    expect(listed.documents()).toMatchObject([
      {
        type: 'configEntry',
        entry: 'shelves',
        environment: [{ name: 'SHELF_KEY', state: 'inFile' }],
      },
      { entry: 'off', disabled: true },
      { entry: 'none', address: null },
    ]);
    const inWords = await run();
    expect(inWords.out).toContain('off (/mcpServers, disabled in the file)');
    expect(inWords.out).toContain('needed: --value');
    expect(inWords.err).toContain('Nothing was kept');
    expectSilent(listed, inWords);
  });

  test('keeps what is named, unconfirmed', async () => {
    const { run, file } = await config();
    const early = await run('--entry', 'shelves', '--json');
    expect([early.exitCode, early.out.includes('needs a value for root')]).toEqual([1, true]);
    const kept = await run('--entry', 'shelves', '--as', 'mine', '--value', 'root=/srv', '--json');
    expect(kept.documents()).toMatchObject([
      {
        name: 'mine',
        confirmedAt: null,
        description: 'shelves /srv (environment: SHELF_KEY)',
        settings: { importedFrom: { path: file, entry: 'shelves' } },
        secrets: [{ state: 'set' }],
      },
    ]);
    const all = await run('--all', '--value', 'root=/srv', '--json');
    expect(all.documents()).toMatchObject([{ name: 'shelves' }]);
    expect(all.err).toContain('2 disabled or unusable entries are left out');
    expect((await run('--entry', 'absent')).exitCode).toBe(2);
    expect((await run('--entry', 'none', '--json')).exitCode).toBe(1);
    expectSilent(early, kept, all);
  });

  test('of what is no file or no configuration says so', async () => {
    const folder = await makeFolder();
    expect((await misstep(folder, ['target', 'import', folder])).exitCode).toBe(2);
    expect((await misstep(folder, ['target', 'import', join(folder, 'absent')])).exitCode).toBe(2);
    const file = join(folder, 'x.json');
    await writeFile(file, '{"a": 1}');
    const none = await misstep(folder, ['target', 'import', file, '--json']);
    expect([none.exitCode, none.documents()]).toMatchObject([
      1,
      [{ error: { code: 'CONFIG_UNREADABLE' } }],
    ]);
  });
});

describe('target sign-in', () => {
  const CLIENT_SECRET = 'the-secret-of-a-client';
  const NAMED = ['--client-id', 'known-client'];
  test.each([
    ['that registers itself', [], {}, ''],
    [
      'with a secret of the environment',
      [...NAMED, '--client-secret'],
      { MISSTEP_CLIENT_SECRET: CLIENT_SECRET },
      '',
    ],
    [
      'with a secret of standard input',
      [...NAMED, '--secrets-stdin'],
      {},
      JSON.stringify({ clientSecret: CLIENT_SECRET }),
    ],
  ])(
    'waits for the browser at an address of its own, a client %s',
    async (_how, words, given, input) => {
      const client = { secret: CLIENT_SECRET, method: 'client_secret_basic' } as const;
      const server = await startOAuthMcp(words.length === 0 ? {} : { client, revocation: 'works' });
      onTestFinished(() => server.stop());
      const dataFolder = await makeFolder();
      await misstep(dataFolder, ['target', 'add', 'shelves', '--yes', '--url', server.url]);
      const printed: string[] = [];
      const stdout = new Writable({
        write(chunk: Buffer, _encoding, done) {
          printed.push(chunk.toString());
          done();
          const [line = ''] = printed;
          if (printed.length > 1) return;
          // The person's browser: there and back.
          const { authorizationUrl } = JSON.parse(line) as { authorizationUrl: string };
          void fetch(authorizationUrl, { redirect: 'manual' }).then((response) => {
            get(response.headers.get('location') ?? '', (back) => back.resume());
          });
        },
      });
      const exitCode = await runCommandLine(
        ['target', 'sign-in', 'shelves', '--json', ...words],
        {
          stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]),
          stdout,
          stderr: new Writable({ write: (_chunk, _encoding, done) => done() }),
          environment: { MISSTEP_DATA: dataFolder, CI: '1', ...given },
          platform: process.platform,
        },
        new AbortController().signal,
      );
      expect(exitCode).toBe(0);
      const [started, ended] = printed.map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(started).toMatchObject({ type: 'signInStarted', authority: server.origin });
      expect(ended).toMatchObject({ type: 'target', signIn: { state: 'signedIn' } });
      expect(started?.secretGoesTo).toBe(words.length === 0 ? null : server.origin);
      for (const secret of [...server.secrets, CLIENT_SECRET]) {
        expect(printed.join('')).not.toContain(secret);
      }
      const out = await misstep(dataFolder, ['target', 'sign-out', 'shelves', '--json']);
      const state = words.length === 0 ? 'no endpoint' : 'revoked';
      expect(out.documents()).toMatchObject([
        { signIn: { state: 'signedOut' }, revocation: { state } },
      ]);
    },
  );

  test('of a target that can’t be signed in to fails', async () => {
    const dataFolder = await makeFolder();
    await misstep(dataFolder, ['target', 'add', 'depot', '--yes', '--', 'depot']);
    const failed = await misstep(dataFolder, ['target', 'sign-in', 'depot', '--json']);
    expect([failed.exitCode, failed.documents()]).toMatchObject([
      1,
      [{ error: { code: 'REQUEST_INVALID' } }],
    ]);
  });
});
