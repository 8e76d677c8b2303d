export interface ToolName {
  readonly server: string | null;
  readonly tool: string;
}

/**
 * Server and tool of a name as clients write it for MCP tools: `mcp__server__tool`, split at the
 * longest known server, else at the first `__`. Every other name is kept whole, without a server.
 */
export function splitToolName(name: string, knownServers: Iterable<string> = []): ToolName {
  if (!name.startsWith('mcp__')) return { server: null, tool: name };
  const rest = name.slice('mcp__'.length);
  let server = '';
  for (const known of knownServers) {
    if (known.length > server.length && rest.startsWith(`${known}__`)) server = known;
  }
  const at = server === '' ? rest.indexOf('__') : server.length;
  if (at <= 0 || at + 2 >= rest.length) return { server: null, tool: name };
  return { server: rest.slice(0, at), tool: rest.slice(at + 2) };
}

/** `server/tool` and `server.tool` as people write them in text; anything else is a bare tool. */
export function splitWrittenToolName(name: string): ToolName {
  if (name.startsWith('mcp__')) return splitToolName(name);
  const match = /^([\w-]+)[/.]([\w-]+)$/.exec(name);
  const [, server, tool] = match ?? [];
  return server !== undefined && tool !== undefined
    ? { server, tool }
    : { server: null, tool: name };
}
