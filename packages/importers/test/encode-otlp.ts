import {
  type FieldSchema,
  LOG_RECORD,
  type MessageSchema,
  RESOURCE,
  SPAN,
} from '../src/otlp/protobuf-schema.ts';

// Writes OTLP JSON (plain values) as protobuf, for fixtures and tests. Integers may be bigints.

type Fields = Record<string, unknown>;

export interface PlainTraces {
  readonly resourceSpans: readonly {
    readonly resource?: Fields;
    readonly scopeSpans: readonly { readonly scope?: Fields; readonly spans: readonly Fields[] }[];
  }[];
}

export function varint(value: bigint | number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    bytes.push(rest === 0n ? low : low | 128);
  } while (rest !== 0n);
  return Uint8Array.from(bytes);
}

export function lengthDelimited(number: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

export interface PlainLogs {
  readonly resourceLogs: readonly {
    readonly resource?: Fields;
    readonly scopeLogs: readonly {
      readonly scope?: Fields;
      readonly logRecords: readonly Fields[];
    }[];
  }[];
}

export function encodeTraces(traces: PlainTraces): Uint8Array {
  return encodeRequest(
    traces.resourceSpans.map(({ resource, scopeSpans }) => ({
      resource,
      scopes: scopeSpans.map(({ scope, spans }) => ({ scope, items: spans.map(encodeSpan) })),
    })),
  );
}

export function encodeLogs(logs: PlainLogs): Uint8Array {
  return encodeRequest(
    logs.resourceLogs.map(({ resource, scopeLogs }) => ({
      resource,
      scopes: scopeLogs.map(({ scope, logRecords }) => ({
        scope,
        items: logRecords.map((record) => encodeMessage(LOG_RECORD, record)),
      })),
    })),
  );
}

/** Requests for spans and for log records are built alike. */
function encodeRequest(
  resources: readonly {
    readonly resource: Fields | undefined;
    readonly scopes: readonly {
      readonly scope: Fields | undefined;
      readonly items: readonly Uint8Array[];
    }[];
  }[],
): Uint8Array {
  return Buffer.concat(
    resources.map(({ resource, scopes }) =>
      lengthDelimited(
        1,
        Buffer.concat([
          ...(resource === undefined
            ? []
            : [lengthDelimited(1, encodeMessage(RESOURCE, resource))]),
          ...scopes.map(({ scope, items }) =>
            lengthDelimited(
              2,
              Buffer.concat([
                lengthDelimited(1, lengthDelimited(1, utf8(String(scope?.name ?? '')))),
                ...items.map((item) => lengthDelimited(2, item)),
              ]),
            ),
          ),
        ]),
      ),
    ),
  );
}

export function encodeSpan(span: Fields): Uint8Array {
  return encodeMessage(SPAN, span);
}

function encodeMessage(schema: MessageSchema, fields: Fields): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [number, field] of schema) {
    const given = fields[field.name];
    if (given === undefined) continue;
    for (const value of field.isRepeated && Array.isArray(given) ? given : [given]) {
      parts.push(varint((number << 3) | field.wire), encodeValue(field, value));
    }
  }
  return Buffer.concat(parts);
}

function encodeValue({ kind, wire }: FieldSchema, value: unknown): Uint8Array {
  if (typeof kind === 'function') return counted(encodeMessage(kind(), fieldsOf(value)));
  switch (kind) {
    case 'string':
      return counted(value instanceof Uint8Array ? value : utf8(String(value)));
    case 'hex':
      return counted(Buffer.from(String(value), 'hex'));
    case 'base64':
      return counted(Buffer.from(String(value), 'base64'));
    case 'double': {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(Number(value));
      return bytes;
    }
    case 'bool':
      return varint(value === true ? 1 : 0);
    default: {
      const integer = BigInt(String(value));
      if (wire === 0) return varint(integer);
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64LE(BigInt.asUintN(64, integer));
      return wire === 1 ? bytes : bytes.subarray(0, 4);
    }
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function counted(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([varint(bytes.length), bytes]);
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
