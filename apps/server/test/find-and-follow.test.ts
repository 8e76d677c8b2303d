import { appendFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openServices } from '../src/index.ts';
import { AGENT_FOLDERS } from '../src/services/find/agent-folders.ts';
import { listRecordings } from '../src/services/find/list-recordings.ts';
import { patternOf, resolveFolder } from '../src/services/find/resolve-folder.ts';

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'misstep-find-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

function sessionOf(id: string, turns: number, from = 0): string {
  const lines = Array.from({ length: turns }, (_, index) => {
    const turn = from + index;
    const at = new Date(Date.UTC(2026, 0, 5, 9, 0, turn)).toISOString();
    return JSON.stringify({
      parentUuid: null,
      sessionId: id,
      type: 'user',
      uuid: `${id}-${turn}`,
      timestamp: at,
      message: { role: 'user', content: `Where is parcel ${turn}? ${'It was sent. '.repeat(60)}` },
    });
  });
  return lines.map((line) => `${line}\n`).join('');
}

const TIMES = { settleMs: 40, longestMs: 2000, rescanMs: 150 };

async function open(home: string, dataFolder: string) {
  const services = await openServices({
    dataFolder,
    surroundings: { platform: 'linux', home, environment: {} },
    watchTimes: TIMES,
  });
  onTestFinished(() => services.close());
  return services;
}

describe('known folders', () => {
  test('ids are single, and each fact has its source', () => {
    expect(AGENT_FOLDERS.length).toBeGreaterThan(8);
    expect(new Set(AGENT_FOLDERS.map(({ id }) => id)).size).toBe(AGENT_FOLDERS.length);
    for (const { source, format, note, files } of AGENT_FOLDERS) {
      expect(source.length).toBeGreaterThan(10);
      expect(files.length).toBeGreaterThan(0);
      expect(format === null).toBe(note !== null);
    }
  });

  test.each([
    ['linux', '/home/a', {}, '/home/a/.config/Code/User'],
    ['linux', '/home/a', { XDG_CONFIG_HOME: '/etc/a' }, '/etc/a/Code/User'],
    ['linux', '/home/a', { XDG_CONFIG_HOME: 'relative' }, '/home/a/.config/Code/User'],
    ['win32', 'C:\\Users\\a', {}, 'C:\\Users\\a\\.config\\Code\\User'],
  ] as const)('on %s in %s with %o: %s', (platform, home, environment, expected) => {
    const at = { platform, home, environment };
    expect(resolveFolder('$XDG_CONFIG_HOME(~/.config)/Code/User', at)).toBe(expected);
  });

  test('patterns', () => {
    expect(patternOf('**/*.jsonl').test('a.jsonl')).toBe(true);
    expect(patternOf('**/*.jsonl').test('x/y/a.jsonl')).toBe(true);
    expect(patternOf('*/ui_messages.json').test('x/y/ui_messages.json')).toBe(false);
    expect(patternOf('*/ui_messages.json').test('x/ui_messagesXjson')).toBe(false);
  });

  test('links are counted, not followed; a huge folder is said to be cut', async () => {
    const folder = await makeFolder();
    const other = await makeFolder();
    await put(join(folder, 'a/one.jsonl'), 'x');
    await put(join(folder, 'b.txt'), 'x');
    await symlink(other, join(folder, 'away'));
    const list = await listRecordings(folder, (path) => path.endsWith('.jsonl'));
    expect(list).toMatchObject({ exists: true, links: 1, unreadable: 0, isCut: false });
    expect(list.files.map(({ path }) => path)).toEqual([join(folder, 'a/one.jsonl')]);
    expect(await listRecordings(folder, () => true, { mostEntries: 2 })).toMatchObject({
      isCut: true,
    });
    expect(await listRecordings(join(folder, 'none'), () => true)).toMatchObject({ exists: false });
  });
});

test('what is found is listed without being imported, and imported when asked', async () => {
  const home = await makeFolder();
  await put(join(home, '.claude/projects/-desk/s1.jsonl'), sessionOf('s1', 3));
  await put(join(home, '.claude/projects/-desk/s2.jsonl'), sessionOf('s2', 2));
  await put(join(home, '.claude/projects/-desk/notes.md'), 'no recording');
  const { finder, store, imports } = await open(home, await makeFolder());
  const found = await finder.find();
  expect(found).toMatchObject([{ id: 'claude-code', fileCount: 2, linkCount: 0, isCut: false }]);
  expect((await store.stats()).runCount).toBe(0);
  expect(await finder.filesOf(['claude-code'], Date.now() + 60_000)).toEqual([]);
  await expect(finder.filesOf(['elsewhere'])).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const files = await finder.filesOf(['claude-code']);
  const { inputOf } = await import('../src/index.ts');
  const { id } = imports.beginFiles('Claude Code', files.map(inputOf));
  await vi.waitFor(() => expect(imports.get(id).state).toBe('done'), 20_000);
  expect(imports.get(id)).toMatchObject({ sourcesOmitted: 0, records: 5 });
  expect((await store.stats()).runCount).toBe(2);
});

describe('following', () => {
  test('new, grown and replaced files are read; what was there before is not', async () => {
    const home = await makeFolder();
    const projects = join(home, '.claude/projects/-desk');
    await put(join(projects, 'old.jsonl'), sessionOf('old', 2));
    const { follows, store } = await open(home, await makeFolder());
    await follows.start();
    await follows.follow({ foundId: 'claude-code' });
    const state = async () => (await follows.list()).folders[0];
    await vi.waitFor(async () => expect(await state()).toMatchObject({ state: 'following' }));

    const path = join(projects, 'live.jsonl');
    await put(path, sessionOf('live', 3));
    await vi.waitFor(async () => expect(await state()).toMatchObject({ newCount: 1 }), 20_000);
    await appendFile(path, sessionOf('live', 2, 3));
    await vi.waitFor(async () => expect(await state()).toMatchObject({ grownCount: 1 }), 20_000);
    const runs = await store.listRuns({ offset: 0, limit: 10 });
    expect(runs.runs.map(({ run }) => run.stepCount)).toEqual([5]);

    await writeFile(path, sessionOf('next', 2));
    await vi.waitFor(async () => expect(await state()).toMatchObject({ replacedCount: 1 }), 20_000);
    expect(await state()).toMatchObject({ lastRemark: expect.stringContaining('of its own') });
    expect((await store.stats()).runCount).toBe(2);

    // Emptied first, as a program does that writes it anew.
    await writeFile(path, '');
    await vi.waitFor(async () => expect(await state()).toMatchObject({ failedCount: 1 }), 20_000);
    await writeFile(path, sessionOf('third', 4));
    await vi.waitFor(async () => expect(await state()).toMatchObject({ replacedCount: 2 }), 20_000);
    expect(await state()).toMatchObject({ grownCount: 1 });
  });

  test('goes on after a restart with what came meanwhile, until it is ended', async () => {
    const home = await makeFolder();
    const dataFolder = await makeFolder();
    const projects = join(home, '.claude/projects/-desk');
    await put(join(projects, 'old.jsonl'), sessionOf('old', 2));
    const before = await openServices({
      dataFolder,
      surroundings: { platform: 'linux', home, environment: {} },
    });
    await before.follows.follow({ foundId: 'claude-code' });
    await before.close();

    await put(join(projects, 'meanwhile.jsonl'), sessionOf('meanwhile', 2));
    const { follows, store } = await open(home, dataFolder);
    await follows.start();
    await vi.waitFor(
      async () => expect((await follows.list()).folders).toMatchObject([{ newCount: 1 }]),
      20_000,
    );
    expect((await store.stats()).runCount).toBe(1);
    const [folder] = (await follows.list()).folders;
    expect(folder && (await follows.unfollow(folder.id))).toBe(true);
    expect((await follows.list()).folders).toEqual([]);
    expect((await store.stats()).runCount).toBe(1);
  });
});

describe('an earlier copy of a recording', () => {
  async function importText(services: Awaited<ReturnType<typeof open>>, text: string) {
    const bytes = Buffer.from(text);
    const [outcome] = await services.imports.importFiles([
      {
        path: 'copy.jsonl',
        open: async function* () {
          yield bytes;
        },
      },
    ]);
    return outcome;
  }

  test('that comes later is no second run', async () => {
    const services = await open(await makeFolder(), await makeFolder());
    const whole = await importText(services, sessionOf('s1', 12));
    for (const turns of [2, 5, 11]) {
      const copy = await importText(services, sessionOf('s1', turns));
      expect(copy).toMatchObject({
        alreadyImported: true,
        runs: [{ id: whole?.runs[0]?.id, steps: 12 }],
      });
      // None of its records were counted, which is not said as a number of records.
      expect(copy?.issues.map(({ code }) => code)).toContain('LONGER_COPY_KNOWN');
    }
    expect((await services.store.stats()).runCount).toBe(1);
    // The same opening and another end is a session that was gone on with twice.
    const other = await importText(services, sessionOf('s1', 3) + sessionOf('s1', 1, 90));
    expect(other).toMatchObject({ alreadyImported: false, runs: [{ id: whole?.runs[0]?.id }] });
    expect((await services.store.stats()).runCount).toBe(1);
  });
});
