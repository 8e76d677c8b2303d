import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskSecretBytes, maskSecrets } from '../src/index.ts';

function headers(...pairs: [string, string][]) {
  return { headers: new Map(pairs), environment: new Map<string, string>() };
}

function escapeAll(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

describe('maskSecrets', () => {
  it.each([
    ['as it is', 'no Bearer tok-12345!', 'no (secret Authorization)!'],
    ['without its scheme', 'bad token tok-12345', 'bad token (secret Authorization)'],
  ])('finds a token %s', (_how, text, masked) => {
    expect(maskSecrets(text, headers(['Authorization', 'Bearer tok-12345']))).toBe(masked);
  });

  it('finds user and password of Basic, and the password alone', () => {
    const value = `Basic ${Buffer.from('ann:pass-phrase').toString('base64')}`;
    const secrets = headers(['Authorization', value]);
    expect(maskSecrets('ann:pass-phrase', secrets)).toBe('(secret Authorization)');
    expect(maskSecrets('is pass-phrase right?', secrets)).toBe('is (secret Authorization) right?');
  });

  it('finds what JSON and URLs make of it', () => {
    const secrets = headers(['X-Key', 'a"b\\c d/é']);
    expect(maskSecrets(`${JSON.stringify('a"b\\c d/é')} a%22b%5Cc%20d%2F%C3%A9`, secrets)).toBe(
      '"(secret X-Key)" (secret X-Key)',
    );
  });

  it.each([
    ['escaped as JSON may', (text: string) => escapeAll(text)],
    ['escaped twice', (text: string) => escapeAll(text).replaceAll('\\', '\\\\')],
    ['half escaped', (text: string) => text.slice(0, 5) + escapeAll(text.slice(5))],
    ['in upper case', (text: string) => text.toUpperCase()],
    ['in lower case', (text: string) => text.toLowerCase()],
    ['in Base64', (text: string) => Buffer.from(text).toString('base64')],
    ['in Base64 after more', (text: string) => Buffer.from(`k=${text};x`).toString('base64')],
    ['in Base64 for URLs', (text: string) => Buffer.from(`k${text}`).toString('base64url')],
    ['in hexadecimal', (text: string) => Buffer.from(text).toString('hex').toUpperCase()],
    [
      'in a URL, all of it',
      (text: string) => Buffer.from(text).toString('hex').replace(/../g, '%$&'),
    ],
  ])('finds a secret %s', (_how, write) => {
    const secrets = headers(['X-Key', 'Tok/12?345-é>x']);
    const text = `a ${write('Tok/12?345-é>x')} b`;
    expect(maskSecrets(text, secrets)).toContain('(secret X-Key)');
    const { bytes, count } = maskSecretBytes(Buffer.from(text), secrets);
    expect([count, Buffer.from(bytes).toString()]).toEqual([1, maskSecrets(text, secrets)]);
  });

  it('takes no long time over what almost is a secret', () => {
    const secrets = headers(['X', '\\\\\\\\\\\\\\']);
    const startedAt = performance.now();
    maskSecretBytes(Buffer.from(`${'\\'.repeat(6)}x`.repeat(50_000)), secrets);
    maskSecretBytes(Buffer.from('\\'.repeat(300_000)), headers(['X', 'aaaaaaaa']));
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });

  it('takes the longer of two secrets first, and leaves short words alone', () => {
    const secrets = headers(['A', 'abcdef'], ['B', 'abcdefgh'], ['C', 'true']);
    expect(maskSecrets('abcdefgh abcdef true', secrets)).toBe('(secret B) (secret A) true');
  });

  it('leaves no secret in any text', () => {
    const secret = fc
      .string({ minLength: 6, maxLength: 20 })
      .filter((text) => text === text.trim());
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        fc.pre(!'(secret X)'.includes(value));
        const masked = maskSecrets(before + value + after, headers(['X', value]));
        return masked.includes('(secret X)');
      }),
    );
  });

  it('counts the places in bytes and leaves other bytes as they are', () => {
    const secrets = { headers: new Map(), environment: new Map([['KEY', 'schlüssel']]) };
    const bytes = Buffer.concat([
      Buffer.of(0xff),
      Buffer.from('schlüssel schlüssel'),
      Buffer.of(0),
    ]);
    const masked = maskSecretBytes(bytes, secrets);
    expect(masked.count).toBe(2);
    expect(Buffer.from(masked.bytes)).toEqual(
      Buffer.concat([Buffer.of(0xff), Buffer.from('(secret KEY) (secret KEY)'), Buffer.of(0)]),
    );
    const untouched = Buffer.from('nothing here');
    expect(maskSecretBytes(untouched, secrets).bytes).toBe(untouched);
  });
});
