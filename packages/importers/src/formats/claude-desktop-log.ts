import type { Importer, SourceGroup, SourceHead } from '../importer.ts';
import type { LogDialect, LogHead, LogNote } from '../log-dialect.ts';
import { entryNumber } from '../log-entries.ts';
import { readLogFile } from '../read-log-file.ts';
import { readMilliseconds } from '../source-time.ts';

/** `mcp.log` and `mcp-server-*.log` of Claude Desktop. */
export const claudeDesktopLog: Importer = {
  id: 'claude-desktop-log',
  title: 'Claude Desktop MCP log',
  evidence: 'logged',
  revision: 4,
  sniff,
  group: groupOf,
  read: (input) => readLogFile(input, dialect),
};

const HEAD =
  /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z) \[([^\]\n]{1,200})\] \[([^\]\n]{1,200})\] ?/y;
const LEVELS: ReadonlySet<string> = new Set(['info', 'warn', 'error', 'debug']);
const MESSAGE = /^Message from (client|server):\s*/;
const EVENTS =
  /^(?:Initializing server|Server started|Server transport|Client transport|Server disconnected|Shutting down server|Using MCP server command|Attempting to connect|Launching)/;

function sniff({ lines }: SourceHead): number {
  let messages = 0;
  let events = 0;
  for (const line of lines) {
    const head = headAt(line, 0);
    if (head === null) continue;
    const body = line.slice(head.bodyAt);
    if (MESSAGE.test(body)) messages += 1;
    else if (EVENTS.test(body)) events += 1;
  }
  if (messages > 0) return 0.95;
  return events > 1 ? 0.8 : events === 1 ? 0.6 : 0;
}

/**
 * Messages of a head by which logs that come together are known to tell the same. What they share
 * further down is found by the numbers of all their messages.
 */
const MOST_LINKS = 200;

/**
 * `mcp.log` holds the messages of all servers, which stand in the servers' own logs too: logs that
 * share a message are of one run. Neither names the other.
 */
function groupOf({ text }: SourceHead): SourceGroup | null {
  const links: string[] = [];
  const numbers: number[] = [];
  let first: LogHead | null = null;
  let isOfAll = false;
  for (const line of text.split('\n')) {
    const head = headAt(line, 0);
    if (head === null) continue;
    first ??= head;
    isOfAll ||= LEVELS.has(/^\S+ \[([^\]]*)/.exec(line)?.[1] ?? '');
    const body = line.slice(head.bodyAt).trimEnd();
    if (!MESSAGE.test(body) || links.length >= MOST_LINKS) continue;
    const number = entryNumber(head, body);
    numbers.push(number);
    links.push(`message ${head.timeText} ${number.toString(36)}`);
  }
  const [opening] = numbers;
  if (first === null || opening === undefined) return null;
  const whose = isOfAll ? 'all servers' : first.server;
  const own = `${whose} from ${first.timeText} ${opening.toString(36)}`;
  const found = { key: own, links, numbers, beganAtMs: readMilliseconds(first.timeText) };
  return isOfAll
    ? { ...found, role: 'main', part: null }
    : { ...found, role: 'companion', part: own };
}

/** `mcp.log` writes the level first, a server's own log the server. */
function headAt(text: string, from: number): LogHead | null {
  HEAD.lastIndex = from;
  const match = HEAD.exec(text);
  if (match === null) return null;
  const [whole, timeText = '', first = '', second = ''] = match;
  const isLevelFirst = LEVELS.has(first) && !LEVELS.has(second);
  return { timeText, server: isLevelFirst ? second : first, bodyAt: from + whole.length };
}

const dialect: LogDialect = {
  client: 'Claude Desktop',
  clock: 'zoned',
  evidence: 'logged',
  hasOtherLogs: true,
  headAt,
  messageIn: (body) => {
    const match = MESSAGE.exec(body);
    if (match === null) return null;
    const direction = match[1] === 'client' ? 'client-to-server' : 'server-to-client';
    return { direction, jsonAt: match[0].length };
  },
  noteOf: (body): LogNote => {
    const restarts = body.startsWith('Initializing server');
    return EVENTS.test(body)
      ? { name: 'Connection', kind: 'protocol', restarts }
      : { name: 'Client log', kind: 'note', restarts };
  },
  isNoise: (line) => /^(?:==> .{1,400} <==|`{3,}\w*)$/.test(line),
};
