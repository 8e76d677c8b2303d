import { encodeString } from '@misstep/json';

/**
 * The text of a `tools/call` request with the arguments exactly as they were typed: no number,
 * key, escape or space of them is written anew. `idText` is JSON text; `argumentsText` must be one
 * JSON object. With a token (JSON text) the server may tell of its progress (MCP, progress).
 */
export function callFrameText(
  idText: string,
  tool: string,
  argumentsText: string,
  progressTokenText: string | null = null,
): string {
  const meta = progressTokenText === null ? '' : `,"_meta":{"progressToken":${progressTokenText}}`;
  return `{"jsonrpc":"2.0","id":${idText},"method":"tools/call","params":{"name":${encodeString(tool)},"arguments":${argumentsText}${meta}}}`;
}

/**
 * A stdio frame ends at the first line feed (MCP, transports, stdio), so a JSON text that was typed
 * over several lines can't be sent as it is. Raw line feeds and carriage returns may stand in JSON
 * only between tokens, where they mean nothing: each becomes one space. Nothing else changes, and
 * a text without line breaks stays the same text. Only for texts that are valid JSON.
 */
export function onOneLine(text: string): string {
  return text.replaceAll(/[\r\n]/g, ' ');
}
