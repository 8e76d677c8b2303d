import type { TextLine } from '../plain-text/text-source.ts';

/** What a line of Claude Code's screen is. `at` is where in its body the rest begins. */
export type TerminalLine =
  | { readonly type: 'bullet'; readonly at: number }
  | { readonly type: 'result'; readonly at: number }
  | { readonly type: 'prompt'; readonly at: number }
  | { readonly type: 'collapsed'; readonly at: number }
  | { readonly type: 'note'; readonly at: number }
  | { readonly type: 'frame' }
  | { readonly type: 'text' };

/** The screen's own colour codes. */
const COLOUR = '(?:\\u001b\\[[0-9;?]*[ -/]*[@-~])*';
const GAP = '[ \\t\\u00a0]';
const BULLET = new RegExp(`^${COLOUR}${GAP}*${COLOUR}[⏺●]${COLOUR}${GAP}*`);
const RESULT = new RegExp(`^${COLOUR}${GAP}*${COLOUR}⎿${COLOUR}${GAP}*`);
const PROMPT = new RegExp(`^${COLOUR}(?:❯|>)${COLOUR}${GAP}${GAP}*`);
const NOTE = new RegExp(`^${GAP}*(?:[✻✽✢✶✳]|※|!)${GAP}+`);
const EXPAND = /\(ctrl\+[a-z] to expand\)\s*$/;
const COLLAPSED =
  /^[\s⏺●]*(?:(?:called|read|searched|listed|wrote|edited|ran|fetched|found|recalled|updated|queried|used)\b[^()]*)\s*\(ctrl\+[a-z] to expand\)\s*$/i;
const FRAME = /^\s*(?:[╭╰│┌└├─━═▐▝▘▛▜█▌▀▄\s]+|[╭╰│].*|[▐▝▘].*|⏵⏵.*|```.*|\? for shortcuts.*)$/;

export function readTerminalLine({ body }: TextLine): TerminalLine {
  const start = body.slice(0, 600);
  if (EXPAND.test(start) && COLLAPSED.test(start)) {
    return { type: 'collapsed', at: start.search(/[^\s⏺●]/) };
  }
  const bullet = BULLET.exec(start);
  if (bullet !== null) return { type: 'bullet', at: bullet[0].length };
  const result = RESULT.exec(start);
  if (result !== null) return { type: 'result', at: result[0].length };
  const prompt = PROMPT.exec(start);
  if (prompt !== null) {
    // The empty prompt's own suggestion.
    if (/^Try "/.test(start.slice(prompt[0].length))) return { type: 'frame' };
    return { type: 'prompt', at: prompt[0].length };
  }
  if (/^\s*❯\s*$/.test(start)) return { type: 'frame' };
  const note = NOTE.exec(start);
  if (note !== null) return { type: 'note', at: note[0].length };
  return FRAME.test(start) ? { type: 'frame' } : { type: 'text' };
}

const MCP_CALL = /^(?:plugin:)?([^\n()]+?) - ([^\n()]+?) \(MCP\)/;
const TOOL_CALL = /^([A-Z][A-Za-z]*(?: [A-Z][a-z]+)?|[a-z][a-z0-9]*(?:-[a-z0-9]+)+)(?=\()/;

/** The call that a bullet's text begins with; null where it is words of the agent. */
export function readCallHead(
  text: string,
): { server: string | null; tool: string; at: number } | null {
  const mcp = MCP_CALL.exec(text);
  if (mcp?.[1] !== undefined && mcp[2] !== undefined) {
    return { server: mcp[1], tool: mcp[2], at: mcp[0].length };
  }
  const tool = TOOL_CALL.exec(text);
  if (tool?.[1] === undefined) return null;
  return { server: null, tool: tool[1], at: tool[0].length };
}
