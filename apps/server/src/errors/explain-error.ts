import { isMisstepError, MisstepError } from '@misstep/model';
import { z } from 'zod';
import { reportFault } from './report-fault.ts';

/** Any failure as one that can be answered with. What nobody expected goes to stderr with an id. */
export function explainError(error: unknown): MisstepError {
  if (isMisstepError(error)) return error;
  if (error instanceof z.ZodError) return explainInvalid(error, '');
  const { code, statusCode } = readFastifyError(error);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new MisstepError('BODY_TOO_LARGE', 'The body is larger than this address takes.');
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new MisstepError(
      'CONTENT_TYPE_REFUSED',
      'The body has a content type that is not taken.',
    );
  }
  if (code === 'FST_ERR_CTP_EMPTY_JSON_BODY') {
    return new MisstepError('REQUEST_INVALID', 'The body is empty; it must be JSON.');
  }
  if (code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET') {
    return new MisstepError('REQUEST_INVALID', 'The connection ended before the body did.');
  }
  // Of Fastify's own making: an address or a body that can't be read.
  if (statusCode !== null && statusCode >= 400 && statusCode < 500) {
    return new MisstepError('REQUEST_INVALID', 'The request cannot be read.', { reason: code });
  }
  const id = reportFault(error);
  return new MisstepError('INTERNAL', `Misstep failed at this (${id}).`, { id });
}

/** The first thing that is wrong, with the name of its field. */
export function explainInvalid(error: z.ZodError, part: string): MisstepError {
  const [issue] = error.issues;
  const field = [part, ...(issue?.path ?? []).map(String)].filter((name) => name !== '').join('.');
  return new MisstepError('REQUEST_INVALID', `${field || 'The request'}: ${issue?.message ?? ''}`, {
    field,
  });
}

function readFastifyError(error: unknown): { code: string | null; statusCode: number | null } {
  if (typeof error !== 'object' || error === null) return { code: null, statusCode: null };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  const statusCode =
    'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : null;
  return { code, statusCode };
}
