import fc from 'fast-check';
import { type JsonDocument, parseJson, readTolerant, type TolerantDocument } from '../src/index.ts';

export function mustParse(text: string): JsonDocument {
  const result = parseJson(text);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

export function mustRead(text: string, offset?: number): TolerantDocument {
  const doc = readTolerant(text, offset);
  if (doc === null) throw new Error('nothing was read');
  return doc;
}

export function nested(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`;
}

export function nestedObjects(depth: number): string {
  return `${'{"a":'.repeat(depth)}null${'}'.repeat(depth)}`;
}

const whitespace = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\r'), maxLength: 2 });

export const numberText = fc.oneof(
  fc.constantFrom('0', '-0', '1.0', '1e400', '-1E+2', '9007199254740993', '0.1', '1e-400', '-0.0'),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.bigInt().map(String),
  fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.nat(999), fc.integer({ min: -40, max: 40 }))
    .map(([whole, fraction, exponent]) => `${whole}.${fraction}e${exponent}`),
);

const stringPiece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }).map((value) => JSON.stringify(value).slice(1, -1)),
  fc.constantFrom(
    ...['\\u0041', '\\/', '\\ud83d\\ude00', '\\uD800', '\ud83d\ude00', '\ud800', '\\n', '\\"'],
    ...['…', 'é', '\u2028', '\\\\', '\\u001F', '\\u001f', ' ', '/', '~', '~1', '{', ']', ',', ':'],
  ),
);

/** A string literal in every spelling RFC 8259 allows. */
const stringText = fc.array(stringPiece, { maxLength: 4 }).map((pieces) => `"${pieces.join('')}"`);

const keyText = fc.oneof(
  fc.constantFrom('"a"', '"b"', '"\\u0061"', '"__proto__"', '"1"', '"0"', '""', '"constructor"'),
  stringText,
);

/** JSON text with free white space, duplicate keys, any number spelling and any escape. */
export function prettyText(): fc.Arbitrary<string> {
  const { value } = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      fc.constantFrom('null', 'true', 'false'),
      numberText,
      stringText,
      tie('array'),
      tie('object'),
    ),
    array: fc
      .tuple(whitespace, fc.array(fc.tuple(tie('value'), whitespace, whitespace), { maxLength: 5 }))
      .map(([inner, items]) => {
        const body = items.map(([item, before, after]) => `${before}${item}${after}`).join(',');
        return `[${inner}${body}]`;
      }),
    object: fc
      .tuple(
        whitespace,
        fc.array(fc.tuple(keyText, whitespace, tie('value'), whitespace), { maxLength: 5 }),
      )
      .map(([inner, entries]) => {
        const body = entries.map(([key, before, item, after]) => {
          return `${after}${key}${before}:${before}${item}${after}`;
        });
        return `{${inner}${body.join(',')}}`;
      }),
  }));
  return fc.tuple(whitespace, value, whitespace).map(([a, text, b]) => `${a}${text}${b}`);
}
