import { escapePointerSegment } from '@misstep/json';
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

  const HARD = `Tok/~12"'?\\n\\\\|é>&<x\u{1f511}=_*`;
  const HTML = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  const inHtml = (text: string) =>
    text.replace(/[&<>"']/g, (each) => Reflect.get(HTML, each) ?? each);
  const perPoint = (text: string, write: (point: number) => string) =>
    Array.from(text, (each) => write(each.codePointAt(0) ?? 0)).join('');
  const perByte = (text: string, write: (byte: number) => string) =>
    Array.from(Buffer.from(text), write).join('');
  const beyondAscii = (text: string, write: (each: string) => string) =>
    text.replace(/[^ -~]/gu, write);
  const hex = (value: number, digits = 2) => value.toString(16).padStart(digits, '0');
  const WRITINGS: Readonly<Record<string, (text: string) => string>> = {
    'as a JSON Pointer': escapePointerSegment,
    'as a JSON Pointer within JSON': (text) =>
      JSON.stringify(escapePointerSegment(text)).slice(1, -1),
    'as a JSON Pointer in a URL': (text) => encodeURIComponent(escapePointerSegment(text)),
    'as CSV': (text) => text.replaceAll('"', '""'),
    'as Markdown': (text) => text.replace(/[\\`*_{}[\]()#+!|<>~&:@]/g, '\\$&'),
    'in a shell': (text) => text.replaceAll("'", "'\\''"),
    'as SQL': (text) => text.replaceAll("'", "''"),
    'in HTML': inHtml,
    'in HTML with slashes': (text) => inHtml(text).replaceAll('/', '&#x2F;'),
    'in HTML twice': (text) => inHtml(inHtml(text)),
    'in HTML within JSON of Go': (text) =>
      JSON.stringify(inHtml(text)).slice(1, -1).replaceAll('&', '\\u0026'),
    'in decimal entities': (text) => perPoint(text, (point) => `&#${point};`),
    'in hexadecimal entities': (text) => perPoint(text, (point) => `&#x${hex(point, 1)};`),
    'as Python prints it': (text) => text.replace(/[\\']/g, '\\$&'),
    'as Python prints bytes': (text) =>
      perByte(text.replace(/[\\']/g, '\\$&'), (byte) =>
        byte < 0x80 ? String.fromCharCode(byte) : `\\x${hex(byte)}`,
      ),
    'as Python escapes it': (text) =>
      perPoint(text.replace(/[\\']/g, '\\$&'), (point) =>
        point < 0x80
          ? String.fromCodePoint(point)
          : point < 0x100
            ? `\\x${hex(point)}`
            : `\\U${hex(point, 8)}`,
      ),
    'as Rust escapes it': (text) =>
      perPoint(text.replace(/[\\"']/g, '\\$&'), (point) =>
        point < 0x80 ? String.fromCodePoint(point) : `\\u{${hex(point, 1)}}`,
      ),
    'in octal': (text) => perByte(text, (byte) => `\\${byte.toString(8).padStart(3, '0')}`),
    'in quoted-printable': (text) =>
      perByte(text.replaceAll('=', '=3D'), (byte) =>
        byte < 0x80 ? String.fromCharCode(byte) : `=${hex(byte).toUpperCase()}`,
      ),
    'as Latin-1 in a URL': (text) =>
      beyondAscii(text, (each) => (each < '\u0100' ? escape(each) : encodeURIComponent(each))),
    'as Latin-1 read wrongly': (text) =>
      beyondAscii(text, (each) => Buffer.from(each).toString('latin1')),
    decomposed: (text) => text.normalize('NFD'),
  };

  it.each(Object.entries(WRITINGS))(
    'finds all of a secret %s, whatever is in it',
    (_how, write) => {
      const part = fc.oneof(
        fc.constantFrom('"', "'", '\\', '/', '~', '|', '&', '<', '>', '=', '_', '*', '`', '?'),
        fc.constantFrom('é', 'ä', '\u{1f511}', 'u0041', 'a', 'B', '7', '&amp;', '""', '~1'),
      );
      const value = fc.array(part, { minLength: 6, maxLength: 30 }).map((parts) => parts.join(''));
      const secrets = (text: string) => headers(['X', text]);
      expect(maskSecrets(`[${write(HARD)}]`, secrets(HARD))).toBe('[(secret X)]');
      fc.assert(
        fc.property(value, (text) => {
          // Whether a quote at either end is of the secret can't always be told.
          expect(maskSecrets(`[${write(text)}]`, secrets(text))).toMatch(
            /^\[["'\\]*\(secret X\)["'\\]*\]$/,
          );
          const bytes = Buffer.from(`[${write(text)}]`);
          expect(maskSecretBytes(bytes, secrets(text)).count).toBe(1);
        }),
        { numRuns: 25 },
      );
    },
  );

  it('leaves JSON that holds a secret JSON', () => {
    const value = fc.string({ minLength: 6, maxLength: 20, unit: fc.constantFrom(...'"\'\\/~a') });
    fc.assert(
      fc.property(value, (text) => {
        const masked = maskSecrets(JSON.stringify({ [text]: text }), headers(['X', text]));
        expect(JSON.parse(masked)).toEqual({ '(secret X)': '(secret X)' });
      }),
    );
  });

  it('finds a secret of any length as one, and makes its pattern in little time', () => {
    const long = Array.from({ length: 4000 }, (_, at) => (at * 7919).toString(36)).join('/');
    const startedAt = performance.now();
    const secrets = headers(['X', long]);
    expect(maskSecrets(`[${long}] [${escapePointerSegment(long)}]`, secrets)).toBe(
      '[(secret X)] [(secret X)]',
    );
    expect(performance.now() - startedAt).toBeLessThan(60_000);
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
