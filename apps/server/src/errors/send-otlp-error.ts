import type { MisstepError } from '@misstep/model';
import type { FastifyReply, FastifyRequest } from 'fastify';

type Encoding = 'json' | 'protobuf';

const PROTOBUF = 'application/x-protobuf';
const RETRY_SECONDS = 5;
/** Codes of google.rpc.Status by HTTP status; 13 is INTERNAL. */
const STATUS_CODES: Readonly<Record<number, number>> = {
  400: 3,
  401: 16,
  403: 7,
  413: 8,
  415: 3,
  503: 14,
};

/** What a request to the receiver is written in, and so what it is answered in. */
export function encodingOf(contentType: string | undefined): Encoding {
  const media = contentType?.split(';')[0]?.trim().toLowerCase();
  return media === PROTOBUF ? 'protobuf' : 'json';
}

/** An error as OTLP's clients expect it: a google.rpc.Status in the encoding of the request. */
export function sendOtlpError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: MisstepError,
): void {
  const { headers } = request.raw;
  // Nobody reads the rest of a refused body, so the connection can't be used again.
  if (!request.raw.complete) reply.header('connection', 'close');
  // A full disk may have room again: exporters try again at 503, and at nothing else of ours.
  const status = error.code === 'DISK_FULL' ? 503 : error.status;
  if (status === 503) reply.header('retry-after', String(RETRY_SECONDS));
  const code = STATUS_CODES[status] ?? 13;
  const message = `${error.message} ${error.hint}`;
  reply.code(status);
  if (encodingOf(headers['content-type']) === 'json') sendOtlpJson(reply, { code, message });
  else sendOtlpProtobuf(reply, Buffer.concat([varintField(1, code), textField(2, message)]));
}

/** Export...ServiceResponse; `rejected` null = everything was taken. `key`: how JSON calls their number. */
export function sendOtlpAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  rejected: { readonly key: string; readonly count: number; readonly message: string } | null,
): void {
  const isJson = encodingOf(request.headers['content-type']) === 'json';
  if (rejected === null) {
    if (isJson) sendOtlpJson(reply, {});
    else sendOtlpProtobuf(reply, Buffer.alloc(0));
    return;
  }
  const { key, count, message } = rejected;
  if (isJson) {
    // 64-bit integers are decimal strings in OTLP's JSON.
    sendOtlpJson(reply, {
      partialSuccess: { [key]: String(count), errorMessage: message },
    });
    return;
  }
  const partial = Buffer.concat([varintField(1, count), textField(2, message)]);
  sendOtlpProtobuf(reply, bytesField(1, partial));
}

function sendOtlpJson(reply: FastifyReply, value: object): void {
  reply.type('application/json').send(JSON.stringify(value));
}

function sendOtlpProtobuf(reply: FastifyReply, bytes: Buffer): void {
  reply.type(PROTOBUF).send(bytes);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}

function varintField(number: number, value: number): Buffer {
  return Buffer.concat([varint(number * 8), varint(value)]);
}

function bytesField(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

function textField(number: number, text: string): Buffer {
  return bytesField(number, Buffer.from(text, 'utf8'));
}
