import { describe, expect, it } from 'vitest';
import {
  describeTarget,
  NO_TARGET_SETTINGS,
  readTargetUrl,
  type TargetAddress,
} from '../src/index.ts';

const stdio = (...words: string[]): TargetAddress => {
  const [command = '', ...args] = words;
  return { transport: 'stdio', command, args, cwd: null };
};
const textOf = (address: TargetAddress, headerNames: string[] = []) =>
  describeTarget({ address, settings: { ...NO_TARGET_SETTINGS, headerNames } });

describe('the text that is confirmed', () => {
  it('shows what would hide or reorder it', () => {
    expect(
      textOf(stdio('node', 'a\u202eb', '\u200b', '\u00a0', '\u3164', '\u{e0041}', 'x\ny')),
    ).toBe('node "a\\u202eb" "\\u200b" "\\u00a0" "\\u3164" "\\u{e0041}" "x\\ny"');
    expect(textOf({ transport: 'stdio', command: 'node', args: [], cwd: '/a\u2066' })).toBe(
      'node (in "/a\\u2066")',
    );
    expect(textOf({ transport: 'sse', url: 'http://a/\u202e(by HTTP+SSE)' })).toBe(
      '"http://a/\\u202e(by HTTP+SSE)" (by HTTP+SSE)',
    );
    expect(textOf({ transport: 'streamable-http', url: 'http://a/' }, ['x\u200b'])).toBe(
      'http://a/ (headers: "x\\u200b")',
    );
  });

  it('tells a character from its escape typed out', () => {
    expect(textOf(stdio('a\u202e'))).not.toBe(textOf(stdio('a\\u202e')));
  });
});

describe('readTargetUrl', () => {
  it.each([
    ['HTTP://Example.test', 'http://example.test/'],
    ['https://b\u00fccher.test/a b?\u00e9', 'https://xn--bcher-kva.test/a%20b?%C3%A9'],
  ])('keeps %s as %s', (text, url) => {
    expect(readTargetUrl(text)).toEqual({ ok: true, value: url });
  });

  it.each([
    ['http://a.test/\u202e', 'not seen'],
    ['http://a.test/\n', 'not seen'],
    ['http://a\u200b.test/', 'not seen'],
    ['http://a.test\\@b.test/', 'backslash'],
    ['javascript:alert(1)', 'begins with javascript:'],
    ['file:///etc/hosts', 'begins with file:'],
    ['http://user:word@a.test/', 'user name'],
    ['a.test/mcp', 'no whole URL'],
  ])('refuses %j', (text, words) => {
    const url = readTargetUrl(text);
    expect(url.ok ? '' : url.error).toContain(words);
  });
});
