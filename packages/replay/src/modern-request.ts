import { member } from '@misstep/json';
import { PROTOCOL_VERSION_KEY, type ReadFrame } from '@misstep/mcp';

/** True for a request that says its own revision, as MCP 2026-07-28 and later have it. */
export function isModernRequest({ document }: ReadFrame): boolean {
  if (document === null) return false;
  const params = member(document, document.root, 'params');
  const meta = member(document, params, '_meta');
  return member(document, meta, PROTOCOL_VERSION_KEY) !== undefined;
}
