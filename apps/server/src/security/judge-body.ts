import type { IncomingHttpHeaders } from 'node:http';
import { MisstepError } from '@misstep/model';

export type BodyKind = 'none' | 'json' | 'bytes';

/**
 * Holds a request's body against what its route takes, before a byte of it is read. Content types
 * that a page may send without asking (text/plain, forms) are refused everywhere.
 */
export function judgeBody(kind: BodyKind, headers: IncomingHttpHeaders): MisstepError | null {
  const hasBody =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  const type = headers['content-type'];
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') {
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
  }
}

function isJson(type: string): boolean {
  const [media, ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  return (
    media === 'application/json' &&
    parameters.every((parameter) => /^(charset="?utf-8"?)?$/.test(parameter))
  );
}

function refuse(message: string): MisstepError {
  return new MisstepError('CONTENT_TYPE_REFUSED', message);
}
