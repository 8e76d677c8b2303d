import type { Importer, SourceHead } from '../importer.ts';
import type { LogDialect, LogHead, LogNote } from '../log-dialect.ts';
import { readLogFile } from '../read-log-file.ts';

/** What VS Code shows in the output channel of an MCP server. */
export const vscodeMcpLog: Importer = {
  id: 'vscode-mcp-log',
  title: 'VS Code MCP log',
  evidence: 'logged',
  revision: 3,
  sniff,
  read: (input) => readLogFile(input, dialect),
};

const HEAD = /\s?(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) \[(?:trace|debug|info|warning|error)\] /y;
const MESSAGE = /^\[(editor -> server|server -> editor)\] /;
const STARTING = /^(?:Starting server|Connection state: Starting)/;
const EVENTS =
  /^(?:Starting server|Connection state: |Waiting for server to respond|Discovered \d+ tools|Stopping server|Server command line: )/;

function sniff({ lines }: SourceHead): number {
  let messages = 0;
  let events = 0;
  for (const line of lines) {
    const head = headAt(line, 0);
    if (head === null) continue;
    const body = line.slice(head.bodyAt);
    if (MESSAGE.test(body)) messages += 1;
    else if (EVENTS.test(body) || body.startsWith('[server stderr] ')) events += 1;
  }
  if (messages > 0) return 0.95;
  return events > 1 ? 0.8 : events === 1 ? 0.5 : 0;
}

function headAt(text: string, from: number): LogHead | null {
  HEAD.lastIndex = from;
  const match = HEAD.exec(text);
  if (match === null) return null;
  return { timeText: match[1] ?? '', server: null, bodyAt: from + match[0].length };
}

const dialect: LogDialect = {
  client: 'VS Code',
  clock: 'local',
  evidence: 'logged',
  headAt,
  messageIn: (body) => {
    const match = MESSAGE.exec(body);
    if (match === null) return null;
    const toServer = match[1] === 'editor -> server';
    const direction = toServer ? 'client-to-server' : 'server-to-client';
    return { direction, jsonAt: match[0].length };
  },
  noteOf: (body): LogNote => {
    const restarts = STARTING.test(body);
    if (body.startsWith('[server stderr] '))
      return { name: 'Server stderr', kind: 'note', restarts };
    if (body.startsWith('Failed to parse message: ')) {
      return { name: 'Not a message', kind: 'protocol', restarts, isNoise: true };
    }
    const kind = EVENTS.test(body) ? 'protocol' : 'note';
    return { name: kind === 'protocol' ? 'Connection' : 'Client log', kind, restarts };
  },
  isNoise: (line) => /^`{3,}\w*$/.test(line),
  serverIn: (body) => /^Starting server (\S.{0,199})$/.exec(body)?.[1] ?? null,
};
