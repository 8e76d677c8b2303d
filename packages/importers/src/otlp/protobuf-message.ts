import { decodeUtf8, encodeString } from '@misstep/json';
import type { PlacedWriter } from '../placed-json.ts';
import {
  isFault,
  readFixed,
  readVarint,
  readWireField,
  type WireFault,
  type WireField,
} from '../protobuf-wire.ts';
import type { FieldSchema, MessageSchema } from './protobuf-schema.ts';

/** Where protobuf's own readers give up; it bounds the recursion. */
const MAX_DEPTH = 100;

/** Writes protobuf messages as the JSON that OTLP defines for them, number text exact. */
export class ProtobufMessages {
  readonly #bytes: Uint8Array;
  /** Where in the source `bytes` begins. */
  readonly #bytesAt: number;
  /** Fields that the schema doesn't know, or knows with another wire type. */
  unknownFields = 0;
  /** Texts with bytes that are no UTF-8, and where in the source the first such byte stands. */
  invalidTexts = 0;
  firstInvalidAt: number | null = null;

  constructor(bytes: Uint8Array, bytesAt: number) {
    this.#bytes = bytes;
    this.#bytesAt = bytesAt;
  }

  /** Null where all of it was read; what was written before a fault is of no use. */
  write(
    writer: PlacedWriter,
    schema: MessageSchema,
    { start, end }: Pick<WireField, 'start' | 'end'>,
    depth = 0,
  ): WireFault | null {
    if (depth > MAX_DEPTH) return { at: start, reason: 'nested more than 100 levels deep' };
    const found = new Map<FieldSchema, WireField[]>();
    for (let at = start; at < end; ) {
      const read = readWireField(this.#bytes, at, end);
      if (isFault(read)) return read;
      if (read.isCut) return { at: read.tagAt, reason: 'a value is cut' };
      const known = schema.get(read.number);
      if (known?.wire !== read.type) this.unknownFields += 1;
      else {
        const before = found.get(known);
        // Of a field that isn't repeated the last one stands, as protobuf says.
        if (before !== undefined && known.isRepeated) before.push(read);
        else found.set(known, [read]);
      }
      at = read.end;
    }
    this.#place(writer, { start, end }, false);
    writer.raw('{');
    let isFirst = true;
    for (const [known, fields] of found) {
      writer.raw(`${isFirst ? '' : ','}"${known.name}":${known.isRepeated ? '[' : ''}`);
      isFirst = false;
      for (const [index, each] of fields.entries()) {
        if (index > 0) writer.raw(',');
        const fault = this.#writeValue(writer, known, each, depth);
        if (fault !== null) return fault;
      }
      if (known.isRepeated) writer.raw(']');
    }
    writer.raw('}');
    return null;
  }

  #writeValue(
    writer: PlacedWriter,
    { kind }: FieldSchema,
    field: WireField,
    depth: number,
  ): WireFault | null {
    if (typeof kind === 'function') return this.write(writer, kind(), field, depth + 1);
    const bytes = this.#bytes.subarray(field.start, field.end);
    this.#place(writer, field, kind === 'string');
    switch (kind) {
      case 'string':
        writer.raw(encodeString(this.#text(bytes, field.start)));
        break;
      case 'hex':
        writer.raw(`"${hexOf(bytes)}"`);
        break;
      case 'base64':
        writer.raw(`"${base64Of(bytes)}"`);
        break;
      case 'digits':
        writer.raw(`"${readFixed(this.#bytes, field)}"`);
        break;
      case 'double':
        writer.raw(doubleText(bytes));
        break;
      case 'number':
        writer.raw(String(this.#integer(field)));
        break;
      case 'signed':
        writer.raw(String(BigInt.asIntN(64, this.#integer(field))));
        break;
      case 'bool':
        writer.raw(this.#integer(field) === 0n ? 'false' : 'true');
        break;
    }
    return null;
  }

  #text(bytes: Uint8Array, start: number): string {
    const { text, firstInvalidOffset } = decodeUtf8(bytes);
    if (firstInvalidOffset !== null) {
      this.invalidTexts += 1;
      this.firstInvalidAt ??= this.#bytesAt + start + firstInvalidOffset;
    }
    return text;
  }

  #integer(field: WireField): bigint {
    if (field.type !== 0) return readFixed(this.#bytes, field);
    return readVarint(this.#bytes, field.start, field.end)?.value ?? 0n;
  }

  #place(writer: PlacedWriter, { start, end }: Pick<WireField, 'start' | 'end'>, isText: boolean) {
    writer.place({ offset: this.#bytesAt + start, length: end - start, isText });
  }
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function base64Of(bytes: Uint8Array): string {
  const characters: string[] = [];
  for (const byte of bytes) characters.push(String.fromCharCode(byte));
  return btoa(characters.join(''));
}

/** As OTLP's JSON writes them: what JSON has no number for is a string. */
function doubleText(bytes: Uint8Array): string {
  const value = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getFloat64(0, true);
  if (!Number.isFinite(value)) return `"${value}"`;
  return Object.is(value, -0) ? '-0' : String(value);
}
