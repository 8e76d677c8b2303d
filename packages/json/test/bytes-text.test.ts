import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ByteIndex,
  byteSpan,
  decodeUtf8,
  encodeString,
  listPointers,
  member,
  members,
  nodeText,
  parseJsonBytes,
  stringValue,
  toPlain,
} from '../src/index.ts';
import { mustParse, prettyText } from './support.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const messyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.array(
    fc.constantFrom(0x41, 0xc3, 0xa9, 0xe2, 0x82, 0xf0, 0x9f, 0x98, 0x80, 0xed, 0xa0, 0xff),
    {
      maxLength: 700,
    },
  ),
);

describe('bytes', () => {
  it('decodes as WHATWG says and knows where the first invalid byte is', () => {
    fc.assert(
      fc.property(messyBytes, (raw) => {
        const bytes = Uint8Array.from(raw);
        const decoded = decodeUtf8(bytes);
        let valid = true;
        try {
          new TextDecoder('utf-8', { fatal: true }).decode(bytes);
        } catch {
          valid = false;
        }
        expect(decoded.valid).toBe(valid);
        if (decoded.firstInvalidOffset === null) return;
        const head = bytes.slice(0, decoded.firstInvalidOffset);
        expect(decodeUtf8(head).valid).toBe(true);
      }),
      { numRuns: 1000 },
    );
    expect(decodeUtf8(bytesOf('\ufeffa'))).toEqual({
      text: '\ufeffa',
      valid: true,
      firstInvalidOffset: null,
    });
    expect(decodeUtf8(bytesOf('\ufffd')).valid).toBe(true);
  });

  it('maps offsets both ways in agreement with the decoder, for invalid input too', () => {
    fc.assert(
      fc.property(messyBytes, (raw) => {
        const bytes = Uint8Array.from(raw);
        const index = new ByteIndex(bytes);
        const { text } = decodeUtf8(bytes);
        for (let unit = 0; unit <= text.length; unit += 1) {
          const at = index.toByte(unit);
          const before = decodeUtf8(bytes.slice(0, at)).text;
          expect(unit - before.length).toBeLessThanOrEqual(1);
          expect(text.startsWith(before)).toBe(true);
          expect(index.toUtf16(at)).toBe(before.length);
        }
        expect(index.toByte(text.length)).toBe(bytes.length);
      }),
      { numRuns: 300 },
    );
  });

  it('gives every value a byte span that reads back as the same value', () => {
    fc.assert(
      fc.property(prettyText(), (loose) => {
        const bytes = bytesOf(loose);
        const doc = parseJsonBytes(bytes);
        if (!doc.ok) throw new Error(doc.error.message);
        for (const { node } of listPointers(doc.value)) {
          const { offset, length } = byteSpan(doc.value, node);
          const again = decodeUtf8(bytes.subarray(offset, offset + length));
          expect(again.text).toBe(nodeText(doc.value, node));
          expect(mustParse(again.text).root.kind).toBe(node.kind);
        }
      }),
    );
  });

  it('never throws for random bytes', () => {
    fc.assert(
      fc.property(messyBytes, (raw) => {
        expect(typeof parseJsonBytes(Uint8Array.from(raw)).ok).toBe('boolean');
      }),
    );
  });

  it('steps over a byte order mark and says where bytes are invalid', () => {
    const doc = parseJsonBytes(bytesOf('\ufeff ["é"]'));
    if (!doc.ok) throw new Error(doc.error.message);
    expect(byteSpan(doc.value, doc.value.root)).toEqual({ offset: 4, length: 6 });
    const broken = parseJsonBytes(Uint8Array.from([0x22, 0xff, 0x22]));
    expect(broken).toMatchObject({ ok: true, value: { firstInvalidOffset: 1, text: '"\ufffd"' } });
  });
});

describe('text', () => {
  it('encodes and decodes any string, lone surrogates as escapes', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (units) => {
        const value = String.fromCharCode(...units);
        const literal = encodeString(value);
        const doc = mustParse(literal);
        if (doc.root.kind !== 'string') throw new Error('not a string');
        expect(stringValue(doc, doc.root)).toBe(value);
        expect(decodeUtf8(bytesOf(literal)).text).toBe(literal);
      }),
    );
    expect(encodeString('\ud800/\u0001\n')).toBe('"\\ud800/\\u0001\\n"');
  });

  it('finds members by decoded key', () => {
    const doc = mustParse('{"a":1,"\\u0061":2,"b":3,"__proto__":4}');
    expect(nodeText(doc, member(doc, doc.root, 'a') ?? doc.root)).toBe('2');
    expect(members(doc, doc.root, 'a').map((node) => nodeText(doc, node))).toEqual(['1', '2']);
    expect(member(doc, doc.root, 'toString')).toBeUndefined();
    expect(member(doc, member(doc, doc.root, 'a'), 'a')).toBeUndefined();
  });

  it('makes plain values without a prototype', () => {
    const doc = mustParse('{"z":1,"a":[{"__proto__":{"x":1}}],"z":2}');
    const plain = toPlain(doc, doc.root);
    expect(JSON.stringify(plain)).toBe('{"z":2,"a":[{"__proto__":{"x":1}}]}');
    expect(Object.getPrototypeOf(plain)).toBeNull();
  });
});
