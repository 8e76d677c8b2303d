import { byteSpan, type JsonBytesDocument, type JsonNode } from '@misstep/json';
import type { CapturedValue, EvidenceGrade, SourceHash } from '@misstep/model';
import { hasBareNumber } from './bare-numbers.ts';
import { valueAt } from './step-builder.ts';

/** A document read from bytes that begin at byte `offset` of a source. */
export interface PlacedDocument {
  readonly document: JsonBytesDocument;
  readonly sha256: SourceHash;
  readonly offset: number;
}

/** A node as a value whose exact bytes are its JSON text. */
export function placedValue(
  { document, sha256, offset }: PlacedDocument,
  node: JsonNode,
  pointer: string,
  evidence: EvidenceGrade,
): CapturedValue {
  const span = byteSpan(document, node);
  return valueAt(
    { sha256, offset: offset + span.offset, length: span.length, pointer },
    hasBareNumber(document, node) ? 'text' : 'json',
    evidence,
  );
}
