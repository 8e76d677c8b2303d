import {
  byteSpan,
  type JsonBytesDocument,
  type JsonDocument,
  type JsonNode,
  member,
  stringValue,
} from '@misstep/json';
import type { FrameDirection } from '@misstep/model';

/** What a line says that is no message: stderr of the server, or of the recorder itself. */
export type RecorderLine =
  | {
      readonly kind: 'stderr';
      readonly text: string;
      readonly offset: number;
      readonly length: number;
    }
  | { readonly kind: 'own' };

/**
 * Lines of mcpsnoop (`direction` is `meta` or `stderr`) of mcp-tape (`type` is `meta` or `end`)
 * and of mcp-vcr (`_type` is `meta`);
 * null for anything else.
 */
export function readRecorderLine(document: JsonBytesDocument): RecorderLine | null {
  const { root } = document;
  const said = textOf(document, root, 'direction');
  const isSnoop = member(document, root, 'server_label') !== undefined;
  const line = member(document, root, 'text');
  if (isSnoop && said === 'stderr' && line?.kind === 'string') {
    return { kind: 'stderr', text: stringValue(document, line), ...byteSpan(document, line) };
  }
  if (isSnoop && said === 'meta') return { kind: 'own' };
  const type = textOf(document, root, 'type');
  const isTape =
    (type === 'meta' && member(document, root, 'mcpTapVersion') !== undefined) ||
    (type === 'end' && member(document, root, 'exitCode') !== undefined);
  // mcp-vcr's first line, where it writes lines of JSON.
  const isVcr =
    textOf(document, root, '_type') === 'meta' &&
    member(document, root, 'server_command') !== undefined;
  return isTape || isVcr ? { kind: 'own' } : null;
}

/** mcp-tape tells directions as the server sees them: `in` goes to the server. */
export function directionOfTape(document: JsonDocument, root: JsonNode): FrameDirection | null {
  if (root.kind !== 'object' || root.members.length !== 3) return null;
  if (member(document, root, 't') === undefined || member(document, root, 'raw') === undefined) {
    return null;
  }
  const said = textOf(document, root, 'dir');
  return said === 'in' ? 'client-to-server' : said === 'out' ? 'server-to-client' : null;
}

/** What the recorder did to a message, for the frame; null where it says nothing. */
export function remarkOf(document: JsonDocument, root: JsonNode): string | null {
  const isSet = (key: string): boolean => {
    const node = member(document, root, key);
    return node?.kind === 'literal' && node.value === true;
  };
  if (member(document, root, 'server_label') === undefined) return null;
  if (isSet('truncated')) return 'cut by the recorder';
  return isSet('redacted') ? 'the recorder hid parts of it' : null;
}

function textOf(document: JsonDocument, root: JsonNode, key: string): string | null {
  const node = member(document, root, key);
  return node?.kind === 'string' ? stringValue(document, node) : null;
}
