import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskSecretBytes, maskSecrets } from '../src/index.ts';

function headers(...pairs: [string, string][]) {
  return { headers: new Map(pairs), environment: new Map<string, string>() };
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
