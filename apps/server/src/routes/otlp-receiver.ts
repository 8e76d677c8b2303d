import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { MisstepError } from '@misstep/model';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { explainError } from '../errors/explain-error.ts';
import { encodingOf, sendOtlpAnswer, sendOtlpError } from '../errors/send-otlp-error.ts';
import { judgeBody } from '../security/judge-body.ts';
import type { Limits } from '../security/limits.ts';
import { RECEIVER_PATHS, RECEIVER_TOKEN_HEADER } from '../security/receiver-address.ts';
import type { ReceiverService, Signal } from '../services/receiver-service.ts';

/** Why some of a request is in no run, and what OTLP calls their number. */
const REJECTED: Readonly<Record<Signal, { readonly key: string; readonly message: string }>> = {
  spans: {
    key: 'rejectedSpans',
    message: 'Spans need a traceId of 16 bytes and a spanId of 8, neither of them all zeros.',
  },
  logs: {
    key: 'rejectedLogRecords',
    message: 'Only log records of the GenAI conventions that name their span are of use here.',
  },
};

/**
 * POST /v1/traces and /v1/logs as OTLP/HTTP says: JSON or protobuf, gzip or not, answered in the
 * encoding of the request. They take their own token and no other, and give nothing but counts.
 */
export function addReceiver(app: FastifyInstance, receiver: ReceiverService, limits: Limits): void {
  let pendingBytes = 0;
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.setErrorHandler((error, request, reply) =>
      sendOtlpError(request, reply, explainError(error)),
    );
    for (const signal of ['spans', 'logs'] as const) {
      scope.route({
        method: 'POST',
        url: RECEIVER_PATHS[signal],
        config: { bodyKind: 'spans' },
        // Before a byte of the body is read.
        onRequest: async (request) => {
          await refuseStranger(request, receiver);
          const bodyError = judgeBody('spans', request.headers);
          if (bodyError !== null) throw bodyError;
        },
        handler: async (request, reply) => {
          const taken = { bytes: 0 };
          try {
            const wire = await collect(request, limits.spansBodyBytes, (bytes) => {
              taken.bytes += bytes;
              pendingBytes += bytes;
              if (pendingBytes > limits.spansPendingBytes) {
                throw new MisstepError('RECEIVER_BUSY', 'Too many spans are on their way at once.');
              }
            });
            const isGzip = request.headers['content-encoding'] === 'gzip';
            const body = isGzip ? await unpack(wire, limits.spansBodyBytes) : wire;
            const { rejected } = await receiver.receive({
              signal,
              encoding: encodingOf(request.headers['content-type']),
              compression: isGzip ? 'gzip' : 'identity',
              body,
            });
            const told = { ...REJECTED[signal], count: rejected };
            sendOtlpAnswer(request, reply, rejected === 0 ? null : told);
          } finally {
            pendingBytes -= taken.bytes;
          }
          return reply;
        },
      });
    }
  });
}

async function refuseStranger(request: FastifyRequest, receiver: ReceiverService): Promise<void> {
  const bearer = /^Bearer ([\x21-\x7e]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const own = request.headers[RECEIVER_TOKEN_HEADER];
  const given = typeof own === 'string' ? own : bearer;
  if (given !== undefined && (await receiver.isToken(given))) return;
  throw new MisstepError(
    'TOKEN_MISSING',
    'The request does not carry the token for sending spans.',
    {},
    { hint: `Send the header ${RECEIVER_TOKEN_HEADER} with the token that \`misstep otlp\` made.` },
  );
}

async function collect(
  request: FastifyRequest,
  maxBytes: number,
  onBytes: (bytes: number) => void,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const body = request.body instanceof Readable ? request.body : Readable.from([]);
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    onBytes(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function unpack(packed: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await promisify(gunzip)(packed, { maxOutputLength: maxBytes });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    throw new MisstepError('REQUEST_INVALID', 'The body is no gzip, or a damaged one.');
  }
}

function tooLarge(maxBytes: number): MisstepError {
  const hint = 'Let the exporter send smaller batches.';
  const message = `The body is larger than ${maxBytes / 1_048_576} MiB (once uncompressed).`;
  return new MisstepError('BODY_TOO_LARGE', message, {}, { hint });
}
