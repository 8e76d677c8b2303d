import { encodeString } from '@misstep/json';

export const MODERN_REVISION = '2026-07-28';
/** Of a request's `_meta`: the revision that it is written in. */
export const PROTOCOL_VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CLIENT_INFO_KEY = 'io.modelcontextprotocol/clientInfo';
const CLIENT_CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

/** The `_meta` that every request of MCP 2026-07-28 must have, as JSON text. */
export function requestMeta(clientVersion: string, capabilitiesText: string): string {
  const clientInfo = `{"name":"misstep","version":${encodeString(clientVersion)}}`;
  return `{"${PROTOCOL_VERSION_KEY}":"${MODERN_REVISION}","${CLIENT_INFO_KEY}":${clientInfo},"${CLIENT_CAPABILITIES_KEY}":${capabilitiesText}}`;
}

/** A request as JSON text; `members` are those of its params before `_meta`, each with a comma. */
export function modernFrameText(
  idText: string,
  method: string,
  members: string,
  metaText: string,
): string {
  return `{"jsonrpc":"2.0","id":${idText},"method":"${method}","params":{${members}"_meta":${metaText}}}`;
}

/** What goes back with the next round of a call (MCP 2026-07-28, multi round-trip requests). */
export interface RoundInput {
  /** JSON text of the `inputResponses` object; null = nothing was asked. */
  readonly responsesText: string | null;
  /** The server's `requestState` exactly as it is written; null = it gave none. */
  readonly stateText: string | null;
}

/** The members of tools/call's params; the arguments stand as they were typed. */
export function callMembers(tool: string, argumentsText: string, input: RoundInput | null): string {
  const responses = input?.responsesText ?? null;
  const state = input?.stateText ?? null;
  return [
    `"name":${encodeString(tool)},`,
    `"arguments":${argumentsText},`,
    ...(responses === null ? [] : [`"inputResponses":${responses},`]),
    ...(state === null ? [] : [`"requestState":${state},`]),
  ].join('');
}
