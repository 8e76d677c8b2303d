import type { IncomingHttpHeaders } from 'node:http';
import { MisstepError } from '@misstep/model';

export type BodyKind = 'none' | 'json' | 'bytes' | 'spans';

/**
 * Holds a request's body against what its route takes, before a byte of it is read. Content types
 * that a page may send without asking (text/plain, forms) are refused everywhere.
 */
export function judgeBody(kind: BodyKind, headers: IncomingHttpHeaders): MisstepError | null {
  const hasBody =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  const type = headers['content-type'];
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity' && !(kind === 'spans' && encoding === 'gzip')) {
    return refuse('A compressed body is not taken.');
  }
  switch (kind) {
    case 'none':
      if (!hasBody) return null;
      return type === undefined || isJson(type)
        ? new MisstepError('REQUEST_INVALID', 'This address takes no body.')
        : refuse('This address takes no body, and none of this content type.');
    case 'json':
      return type !== undefined && isJson(type)
        ? null
        : refuse('The body must be application/json in UTF-8.');
    case 'bytes':
      return type?.trim().toLowerCase() === 'application/octet-stream'
        ? null
        : refuse('The body must be application/octet-stream.');
    case 'spans':
      return type !== undefined && (isJson(type) || isProtobuf(type))
        ? null
        : refuse('The body must be application/x-protobuf or application/json.');
  }
}

function isJson(type: string): boolean {
  const [media, ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  return (
    media === 'application/json' &&
    parameters.every((parameter) => /^(charset="?utf-8"?)?$/.test(parameter))
  );
}

function isProtobuf(type: string): boolean {
  return type.split(';')[0]?.trim().toLowerCase() === 'application/x-protobuf';
}

function refuse(message: string): MisstepError {
  return new MisstepError('CONTENT_TYPE_REFUSED', message);
}
