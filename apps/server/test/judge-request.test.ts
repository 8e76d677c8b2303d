import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeBody } from '../src/security/judge-body.ts';
import { judgeRequest } from '../src/security/judge-request.ts';
import { isToken, makeToken } from '../src/security/token.ts';

const token = makeToken();
const guard = { token, port: () => 4517 };

function judge(url: string, headers: Record<string, string>, raw: string[] = [], method = 'GET') {
  const rawHeaders = [...Object.entries(headers).flat(), ...raw];
  return judgeRequest({ method, url, headers, rawHeaders }, guard);
}
const own = { host: '127.0.0.1:4517', authorization: `Bearer ${token}` };
const codeOf = (verdict: ReturnType<typeof judge>) =>
  verdict.kind === 'refuse' ? verdict.error.code : verdict.kind;

describe('the host', () => {
  test.each(['127.0.0.1:4517', 'localhost:4517', '[::1]:4517', 'LOCALHOST:4517'])('%s', (host) => {
    expect(codeOf(judge('/api/runs', { ...own, host }))).toBe('pass');
  });

  test.each([
    'evil.example',
    'evil.example:4517',
    '0.0.0.0:4517',
    '127.0.0.1',
    'localhost',
    '127.0.0.1:80',
    'localhost.evil:4517',
    'localhost.evil.example:4517',
    'evil@127.0.0.1:4517',
    '127.0.0.1:4517.evil',
    '127.1:4517',
    '2130706433:4517',
    '[::ffff:127.0.0.1]:4517',
    ' 127.0.0.1:4517',
    '',
  ])('%s is another', (host) => {
    expect(codeOf(judge('/api/runs', { ...own, host }))).toBe('HOST_REFUSED');
  });

  test('none, two, or one in the target are refused', () => {
    expect(codeOf(judge('/', { authorization: own.authorization }))).toBe('HOST_REFUSED');
    expect(codeOf(judge('/', own, ['Host', 'evil.example']))).toBe('HOST_REFUSED');
    expect(codeOf(judge('/', own, ['Host', own.host]))).toBe('HOST_REFUSED');
    expect(codeOf(judge('http://evil.example/api/runs', own))).toBe('HOST_REFUSED');
    expect(codeOf(judge('*', own, [], 'OPTIONS'))).toBe('HOST_REFUSED');
  });
});

describe('the origin', () => {
  test.each([
    ['http://127.0.0.1:4517', 'pass'],
    ['http://localhost:4517', 'ORIGIN_REFUSED'],
    ['https://127.0.0.1:4517', 'ORIGIN_REFUSED'],
    ['http://127.0.0.1:4518', 'ORIGIN_REFUSED'],
    ['http://evil.example', 'ORIGIN_REFUSED'],
    ['null', 'ORIGIN_REFUSED'],
    ['', 'ORIGIN_REFUSED'],
  ])('%s', (origin, expected) => {
    expect(codeOf(judge('/api/runs', { ...own, origin }))).toBe(expected);
  });

  test.each([
    ['same-origin', 'pass'],
    ['none', 'pass'],
    ['same-site', 'ORIGIN_REFUSED'],
    ['cross-site', 'ORIGIN_REFUSED'],
  ])('sec-fetch-site %s', (site, expected) => {
    expect(codeOf(judge('/api/runs', { ...own, 'sec-fetch-site': site }))).toBe(expected);
  });
});

describe('the token', () => {
  const host = own.host;

  test('comes as a bearer or in the cookie of this port', () => {
    expect(codeOf(judge('/api/runs', own))).toBe('pass');
    expect(codeOf(judge('/api/runs', { host, cookie: `a=b; misstep_4517=${token}` }))).toBe('pass');
    expect(codeOf(judge('/api/runs', { host, cookie: `misstep_4518=${token}` }))).toBe(
      'TOKEN_MISSING',
    );
  });

  test('is not taken from the address of anything but a page', () => {
    expect(codeOf(judge(`/api/runs?token=${token}`, { host }))).toBe('TOKEN_MISSING');
    expect(codeOf(judge(`/api?token=${token}`, { host }))).toBe('TOKEN_MISSING');
    expect(codeOf(judge(`/?token=${token}`, { host }, [], 'POST'))).toBe('TOKEN_MISSING');
    expect(codeOf(judge('/?token=wrong', { host }))).toBe('TOKEN_MISSING');
  });

  test.each([
    [`/?token=${token}`, '/'],
    [`/runs/r1?tab=call&token=${token}&step=2`, '/runs/r1?tab=call&step=2'],
    [`//evil.example/x?token=${token}`, '/evil.example/x'],
    [`///evil.example?token=${token}`, '/evil.example'],
  ])('%s leads to %s', (url, location) => {
    expect(judge(url, { host })).toEqual({ kind: 'welcome', location });
  });

  test('no other text is this token', () => {
    fc.assert(
      fc.property(fc.string(), (other) => {
        expect(isToken(token, other)).toBe(other === token);
      }),
    );
    expect(isToken(token, token)).toBe(true);
    expect(Buffer.from(makeToken(), 'base64url')).toHaveLength(32);
    expect(new Set(Array.from({ length: 50 }, makeToken)).size).toBe(50);
  });
});

describe('the path', () => {
  test.each([
    '/../etc/passwd',
    '/assets/..%2f..%2fetc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/assets/%2E./x',
    '/..\\windows\\win.ini',
    '/a%5c..%5cb',
    '/x%00.js',
    '/./x',
  ])('%s', (url) => {
    expect(codeOf(judge(url, own))).toBe('PATH_REFUSED');
  });

  test('dots inside names are names', () => {
    expect(codeOf(judge('/runs/v1.2..3?x=../..', own))).toBe('pass');
  });
});

describe('the body', () => {
  const length = { 'content-length': '2' };
  test.each([
    ['json', { ...length, 'content-type': 'application/json' }, null],
    ['json', { ...length, 'content-type': 'application/json; charset=utf-8' }, null],
    ['json', { ...length, 'content-type': 'Application/JSON;charset="UTF-8"' }, null],
    ['json', { ...length, 'content-type': 'application/json; charset=utf-16' }, 415],
    ['json', { ...length, 'content-type': 'application/jsonp' }, 415],
    ['json', { ...length, 'content-type': 'text/plain' }, 415],
    ['json', length, 415],
    ['json', { ...length, 'content-type': 'application/json', 'content-encoding': 'gzip' }, 415],
    ['bytes', { ...length, 'content-type': 'application/octet-stream' }, null],
    ['bytes', { ...length, 'content-type': 'application/json' }, 415],
    ['bytes', { ...length, 'content-type': 'multipart/form-data; boundary=x' }, 415],
    ['none', {}, null],
    ['none', { 'content-length': '0' }, null],
    ['none', { ...length, 'content-type': 'application/json' }, 400],
    ['none', { ...length, 'content-type': 'text/plain' }, 415],
    ['none', { 'transfer-encoding': 'chunked' }, 400],
  ] as const)('%s %o', (kind, headers, status) => {
    expect(judgeBody(kind, headers)?.status ?? null).toBe(status);
  });
});
