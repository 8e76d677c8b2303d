import type { WireType } from '../protobuf-wire.ts';

/** How a field's bytes become the JSON that OTLP writes for it. */
export type FieldKind =
  | 'string'
  | 'hex'
  | 'base64'
  | 'digits'
  | 'number'
  | 'signed'
  | 'bool'
  | 'double'
  | (() => MessageSchema);

export interface FieldSchema {
  readonly name: string;
  readonly kind: FieldKind;
  readonly wire: WireType;
  readonly isRepeated: boolean;
}

export type MessageSchema = ReadonlyMap<number, FieldSchema>;

function field(name: string, kind: FieldKind, wire: WireType): FieldSchema {
  return { name, kind, wire, isRepeated: false };
}

const text = (name: string): FieldSchema => field(name, 'string', 2);
const id = (name: string): FieldSchema => field(name, 'hex', 2);
const nanos = (name: string): FieldSchema => field(name, 'digits', 1);
const count = (name: string): FieldSchema => field(name, 'number', 0);
const flags = field('flags', 'number', 5);
const one = (name: string, of: () => MessageSchema): FieldSchema => field(name, of, 2);
const many = (name: string, of: () => MessageSchema): FieldSchema => ({
  ...one(name, of),
  isRepeated: true,
});

// The messages of opentelemetry-proto's common, resource, trace and logs files, by field number.

const ANY_VALUE: MessageSchema = new Map([
  [1, text('stringValue')],
  [2, field('boolValue', 'bool', 0)],
  [3, field('intValue', 'signed', 0)],
  [4, field('doubleValue', 'double', 1)],
  [5, one('arrayValue', () => ARRAY_VALUE)],
  [6, one('kvlistValue', () => KEY_VALUE_LIST)],
  [7, field('bytesValue', 'base64', 2)],
]);
const ARRAY_VALUE: MessageSchema = new Map([[1, many('values', () => ANY_VALUE)]]);
const KEY_VALUE: MessageSchema = new Map([
  [1, text('key')],
  [2, one('value', () => ANY_VALUE)],
]);
const KEY_VALUE_LIST: MessageSchema = new Map([[1, many('values', () => KEY_VALUE)]]);
const EVENT: MessageSchema = new Map([
  [1, nanos('timeUnixNano')],
  [2, text('name')],
  [3, many('attributes', () => KEY_VALUE)],
  [4, count('droppedAttributesCount')],
]);
const LINK: MessageSchema = new Map([
  [1, id('traceId')],
  [2, id('spanId')],
  [3, text('traceState')],
  [4, many('attributes', () => KEY_VALUE)],
  [5, count('droppedAttributesCount')],
  [6, flags],
]);
const STATUS: MessageSchema = new Map([
  [2, text('message')],
  [3, count('code')],
]);

export const RESOURCE: MessageSchema = new Map([
  [1, many('attributes', () => KEY_VALUE)],
  [2, count('droppedAttributesCount')],
]);

export const SPAN: MessageSchema = new Map([
  [1, id('traceId')],
  [2, id('spanId')],
  [3, text('traceState')],
  [4, id('parentSpanId')],
  [5, text('name')],
  [6, count('kind')],
  [7, nanos('startTimeUnixNano')],
  [8, nanos('endTimeUnixNano')],
  [9, many('attributes', () => KEY_VALUE)],
  [10, count('droppedAttributesCount')],
  [11, many('events', () => EVENT)],
  [12, count('droppedEventsCount')],
  [13, many('links', () => LINK)],
  [14, count('droppedLinksCount')],
  [15, one('status', () => STATUS)],
  [16, flags],
]);

export const LOG_RECORD: MessageSchema = new Map([
  [1, nanos('timeUnixNano')],
  [2, count('severityNumber')],
  [3, text('severityText')],
  [5, one('body', () => ANY_VALUE)],
  [6, many('attributes', () => KEY_VALUE)],
  [7, count('droppedAttributesCount')],
  [8, flags],
  [9, id('traceId')],
  [10, id('spanId')],
  [11, nanos('observedTimeUnixNano')],
  [12, text('eventName')],
]);
