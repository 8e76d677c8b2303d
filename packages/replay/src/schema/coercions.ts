import { type JsonDocument, listPointers, nodeText } from '@misstep/json';
import { shortened } from '@misstep/mcp';

/** A value that a lenient client turns into another type. */
export interface ValueCoercion {
  readonly pointer: string;
  /** As typed. */
  readonly from: string;
  /** JSON text. */
  readonly to: string;
}

const MOST = 100;

/** Where `after`, the document's value once a lenient check has been over it, is another value. */
export function coercionsOf(document: JsonDocument, after: unknown): ValueCoercion[] {
  const found: ValueCoercion[] = [];
  const now = new Map<string, unknown>([['', after]]);
  for (const { pointer, node, shadowed } of listPointers(document)) {
    if (shadowed || !now.has(pointer)) continue;
    const value = now.get(pointer);
    now.delete(pointer);
    if (node.kind === 'object' || node.kind === 'array') {
      if (typeof value !== 'object' || value === null)
        add(pointer, nodeText(document, node), value);
      else {
        for (const [key, inner] of Object.entries(value)) {
          now.set(`${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, inner);
        }
      }
      continue;
    }
    const was: unknown = JSON.parse(nodeText(document, node));
    if (!Object.is(was, value)) add(pointer, nodeText(document, node), value);
    if (found.length >= MOST) break;
  }
  return found;

  function add(pointer: string, from: string, value: unknown): void {
    found.push({
      pointer,
      from: shortened(from, 60),
      to: shortened(JSON.stringify(value) ?? '', 60),
    });
  }
}
