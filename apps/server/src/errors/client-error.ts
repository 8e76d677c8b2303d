import type { Socket } from 'node:net';
import { MisstepError } from '@misstep/model';
import { SECURITY_HEADERS } from '../security/response-headers.ts';
import { errorText } from './send-error.ts';

/**
 * Answers what Node's parser refused before there was a request: the same headers and the same
 * shape as every other error. Then the connection ends.
 */
export function answerClientError(error: Error, socket: Socket): void {
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = errorText(
    new MisstepError('REQUEST_INVALID', 'The request cannot be read.', { reason: code }),
  );
  const headers = {
    ...SECURITY_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${STATUS_LINES[code] ?? '400 Bad Request'}\r\n${lines.join('')}\r\n${body}`);
}

const STATUS_LINES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};
