import { type JsonDocument, type JsonNode, nodeText, stringValue } from '@misstep/json';
import type { RunClock } from '@misstep/model';
import { decimalToNs, epochToNs, readTime } from '../../source-time.ts';

/**
 * The time of an envelope: ISO text, or a number (also as text) since 1970 whose size tells
 * seconds, milliseconds, microseconds and nanoseconds apart. A small number is monotonic: seconds
 * where it has a fraction, else milliseconds. Null where it is no time.
 */
export function readEnvelopeTime(
  document: JsonDocument,
  node: JsonNode | undefined,
): { clock: RunClock; ns: bigint; text: string } | null {
  if (node === undefined) return null;
  const text = node.kind === 'string' ? stringValue(document, node) : nodeText(document, node);
  if (node.kind === 'string') {
    const time = readTime(text.trim());
    if (time !== null) return time;
  }
  const epoch = epochToNs(text);
  if (epoch !== null) return { clock: 'zoned', ns: epoch, text };
  const ns = decimalToNs(text, text.includes('.') ? 's' : 'ms');
  return ns === null ? null : { clock: 'monotonic', ns, text };
}
