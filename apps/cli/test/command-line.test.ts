import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../src/commands/index.ts';
import { COMMON_OPTIONS, helpOf, helpOfAll } from '../src/help.ts';
import { browserCommand } from '../src/terminal/open-browser.ts';
import { formatTable } from '../src/terminal/table.ts';
import { visible } from '../src/terminal/visible.ts';
import { makeFolder, misstep } from './support.ts';

describe('the command line', () => {
  test('wrong words are exit code 2, before anything is opened', async () => {
    const folder = await makeFolder();
    for (const words of [
      [],
      ['nope'],
      ['import'],
      ['import', '--nope', 'x'],
      ['import', '--format'],
      ['show'],
      ['show', 'r1', 'r2'],
      ['runs', 'r1'],
      ['runs', '--limit', '0'],
      ['serve', '--port', '70000'],
      ['serve', '--port', 'x'],
      ['mark'],
      ['mark', 'r1', '2', '--none'],
      ['mark', 'r1', '--after'],
      ['mark', 'r1', '--remove', '--none'],
      ['mark', 'r1', '--reason', 'x'],
      ['target'],
      ['target', 'add'],
      ['target', 'add', 'x'],
      ['target', 'add', 'bad name', '--url', 'http://a/'],
      ['target', 'add', 'x', '--url', 'http://a/', '--', 'y'],
      ['replay', 'r1', '2'],
      ['replay', 'r1', '--target', 'x'],
      ['replay', 'r1', '2', '--target', 'x', '--timeout', '5'],
      ['replay', 'r1', '2', '--target', 'x', '--arguments', `${folder}/absent`],
    ]) {
      const { exitCode, out, err } = await misstep(folder, words);
      expect([words.join(' '), exitCode, out]).toEqual([words.join(' '), 2, '']);
      expect(err).not.toBe('');
    }
    expect(await readdir(folder)).toEqual([]);
  });

  test('wrong words with --json are one error line, wherever it stands', async () => {
    const folder = await makeFolder();
    for (const words of [
      ['--json', 'nope'],
      ['--json'],
      ['target', '--json'],
      ['mark', '--json'],
      ['import', '--nope', '--json', 'x'],
      ['mark', 'r1', '2', '--cite', 'elsewhere:/x', '--json'],
      ['mark', 'r1', '2', '--cite', 'arguments:since', '--json'],
      ['mark', 'r1', '--none', '--cite', 'arguments:/since', '--json'],
    ]) {
      const { exitCode, documents } = await misstep(folder, words);
      const error = {
        code: 'REQUEST_INVALID',
        message: expect.stringMatching(/./),
        hint: expect.stringContaining('--help'),
        details: {},
      };
      expect([words, exitCode, documents()]).toEqual([words, 2, [{ error }]]);
    }
    expect(await readdir(folder)).toEqual([]);
  });

  test('the options of every command may stand before it', async () => {
    const folder = await makeFolder();
    const other = join(folder, 'other');
    for (const words of [
      ['--json', '--data', other, 'target', 'list'],
      [`--data=${other}`, 'runs', '--json'],
    ]) {
      expect(await misstep(folder, words)).toMatchObject({ exitCode: 0, out: '' });
    }
    expect(await readdir(folder)).toEqual(['other']);
    expect((await misstep(folder, ['--help', 'runs'])).out).toContain('Usage: misstep runs');
  });

  test('half a command shows the usage of its kind', async () => {
    const folder = await makeFolder();
    for (const words of [['target'], ['target', 'nope']]) {
      const { exitCode, err } = await misstep(folder, words);
      expect(exitCode).toBe(2);
      expect(err).not.toContain('no command "target".');
      for (const name of ['add', 'confirm', 'list', 'remove']) {
        expect(err).toContain(`misstep target ${name}`);
      }
    }
    expect(await misstep(folder, ['target', '--help'])).toMatchObject({ exitCode: 0, err: '' });
  });

  test('help and version come without a data folder', async () => {
    const folder = await makeFolder();
    const all = await misstep(folder, ['--help']);
    for (const command of commands) {
      expect(all.out).toContain(command.name);
      const one = await misstep(folder, [...command.name.split(' '), '--help']);
      expect([one.exitCode, one.out]).toEqual([0, helpOf(command)]);
    }
    expect((await misstep(folder, ['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(helpOfAll(commands)).toBe(all.out);
    expect(await readdir(folder)).toEqual([]);
  });

  test('docs/cli.md names every command and every option', () => {
    const text = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');
    const headings = text
      .split('\n')
      .filter((line) => line.startsWith('## '))
      .join('\n');
    expect(commands.length).toBeGreaterThan(8);
    for (const { name, options } of commands) {
      expect(headings).toContain(name);
      const start = text.search(new RegExp(`^## .*${name}`, 'm'));
      const section = text.slice(start, text.indexOf('\n## ', start + 1) >>> 0);
      for (const [option, { value }] of Object.entries(options)) {
        expect(section).toContain(value === undefined ? `--${option}` : `--${option} ${value}`);
      }
    }
    for (const option of Object.keys(COMMON_OPTIONS)) expect(text).toContain(`--${option}`);
  });
});

describe('what is printed', () => {
  test('every character that hides or commands is shown', () => {
    expect(
      visible('a\u001b[31m\u0007\r\n\t\u0085\u202e\u2066\u200b\ufeff\u00ad\u2028\u{e0041}\ud800z'),
    ).toBe(
      'a\\u001b[31m\\u0007\\r\\n\\t\\u0085\\u202e\\u2066\\u200b\\ufeff\\u00ad\\u2028\\u{e0041}\\ud800z',
    );
    expect(visible('täglich 日本 👍 <b>')).toBe('täglich 日本 👍 <b>');
  });

  test('columns line up', () => {
    const table = formatTable(
      [
        ['A', 'NUMBER', 'LAST'],
        ['long one', '7', 'x'],
      ],
      new Set([1]),
    );
    expect(table).toBe('A         NUMBER  LAST\nlong one       7  x\n');
  });
});

describe('the browser', () => {
  test.each([
    ['linux', {}, null],
    ['linux', { DISPLAY: ':0' }, 'xdg-open'],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, 'xdg-open'],
    ['linux', { DISPLAY: ':0', CI: 'true' }, null],
    ['linux', { SSH_CONNECTION: '1.2.3.4', DISPLAY: '' }, null],
    ['darwin', {}, 'open'],
    ['darwin', { CI: '1' }, null],
    ['win32', {}, 'cmd'],
  ] as const)('on %s with %o: %s', (platform, environment, expected) => {
    expect(browserCommand(platform, environment)?.[0] ?? null).toBe(expected);
  });
});
