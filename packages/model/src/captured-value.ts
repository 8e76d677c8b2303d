import { z } from 'zod';
import { CaptureStateSchema, EvidenceGradeSchema } from './evidence.ts';
import { SourceHashSchema } from './ids.ts';

/**
 * Where in a source a value stands: byte offset and length in the whole source, and the JSON
 * Pointer (RFC 6901) of the value inside the record that holds it. The pointer is '' where the
 * bytes are the value itself or the record isn't JSON.
 */
export const OriginSchema = z.object({
  sha256: SourceHashSchema,
  offset: z.number().int().nonnegative(),
  length: z.number().int().nonnegative(),
  pointer: z.string(),
});
export type Origin = z.infer<typeof OriginSchema>;

/**
 * How the bytes at an origin become the value's text:
 * - `json`: they are the JSON text of the value;
 * - `json-string`: they are a JSON string literal, the text is what it decodes to;
 * - `text`: they are the text (UTF-8);
 * - `cut-json`: JSON that a renderer has cut, to be read by the tolerant reader;
 * - `unwrapped`: text or JSON that a renderer hard-wrapped inside a token: the text is the bytes
 *   with every line break and the blanks after it removed;
 * - `inline`: no contiguous bytes hold it; the text is carried by the value itself.
 */
export const VALUE_ENCODINGS = [
  'json',
  'json-string',
  'text',
  'cut-json',
  'unwrapped',
  'inline',
] as const;
export const ValueEncodingSchema = z.enum(VALUE_ENCODINGS);
export type ValueEncoding = z.infer<typeof ValueEncodingSchema>;

/** One place where the source says that it cut something. */
export const ElisionSchema = z.object({
  /** JSON Pointer within the value; '' when the whole value is cut or the value is text. */
  pointer: z.string(),
  kind: z.enum(['items', 'members', 'characters', 'lines', 'bytes', 'tokens', 'value', 'tail']),
  /** How much is cut, in the unit that `kind` names; null where the source does not say. */
  count: z.number().int().nonnegative().nullable(),
  /** The marker as it stands in the source. */
  marker: z.string(),
});
export type Elision = z.infer<typeof ElisionSchema>;

/**
 * A recorded payload. The bytes stay in the source; this says which they are, how near to the
 * transport they were taken and what is missing from them.
 */
export const CapturedValueSchema = z.object({
  state: CaptureStateSchema,
  evidence: EvidenceGradeSchema,
  origin: OriginSchema.nullable(),
  encoding: ValueEncodingSchema,
  /** Only for `inline`. */
  inlineText: z.string().nullable(),
  elisions: z.array(ElisionSchema),
});
export type CapturedValue = z.infer<typeof CapturedValueSchema>;

/** A value that the source never holds. */
export function notCaptured(evidence: CapturedValue['evidence']): CapturedValue {
  return {
    state: 'notCaptured',
    evidence,
    origin: null,
    encoding: 'inline',
    inlineText: null,
    elisions: [],
  };
}
