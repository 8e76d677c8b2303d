// What every hostile server shares: its tools, its answers as raw text, and the log of what it read.
import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CASE_TOOLS } from './case-tools.mjs';
import { notificationAnswer } from './notification-behaviours.mjs';

export function readOptions() {
  const { values } = parseArgs({
    options: {
      behaviour: { type: 'string', default: 'echo' },
      log: { type: 'string' },
    },
  });
  return values;
}

/** Appends every byte that the server process reads, so that a test can look at them. */
export function createReadLog(path) {
  return (bytes) => {
    if (path !== undefined) appendFileSync(path, bytes);
  };
}

const TOOLS = [
  {
    name: 'echo',
    description: 'Gives back what it was given.',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'wipe_shelf',
    description: 'Empties a shelf.',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: false, destructiveHint: true },
  },
  { name: 'count_boxes', inputSchema: { type: 'object' } },
];

/** The answer to anything but tools/call, as text; null = nothing to say. */
export function routineAnswer(message, behaviour) {
  const { id, method, params } = message;
  if (method === undefined) return null;
  if (id === undefined) return notificationAnswer(message, behaviour);
  const idText = behaviour === 'string-ids' ? `"${id}"` : JSON.stringify(id);
  switch (method) {
    case 'initialize':
      return initializeAnswer(idText, behaviour);
    case 'tools/list':
      return listAnswer(idText, params?.cursor, behaviour);
    case 'ping':
      return `{"jsonrpc":"2.0","id":${idText},"result":{}}`;
    default:
      return `{"jsonrpc":"2.0","id":${idText},"error":{"code":-32601,"message":"no ${method} here"}}`;
  }
}

function initializeAnswer(idText, behaviour) {
  if (behaviour === 'silent-initialize') return null;
  if (behaviour === 'initialize-error') {
    return `{"jsonrpc":"2.0","id":${idText},"error":{"code":-32000,"message":"not today"}}`;
  }
  if (behaviour === 'initialize-mark') {
    return `\ufeff${initializeAnswer(idText, 'echo')}`;
  }
  if (behaviour === 'initialize-minus-one') {
    return `{"jsonrpc":"2.0","id":${idText},"error":{"code":-1,"message":"shut\\n for stocktaking"}}`;
  }
  if (behaviour === 'initialize-without-id') {
    return '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"unreadable"}}';
  }
  if (behaviour === 'initialize-lacks') {
    return `{"jsonrpc":"2.0","id":${idText},"result":{"capabilities":[],"serverInfo":{"name":"x"}}}`;
  }
  if (behaviour === 'initialize-empty') {
    return `{"jsonrpc":"2.0","id":${idText},"result":{}}`;
  }
  if (behaviour === 'initialize-odd') {
    return `{"jsonrpc":"2.0","id":${idText},"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":7},"serverInfo":{"name":"x","version":"1"}}}`;
  }
  if (behaviour === 'initialize-extra-key') {
    return `{"jsonrpc":"2.0","id":${idText},"extra":1,"result":{}}`;
  }
  const revision = behaviour === 'ancient-revision' ? '1999-01-01' : '2025-11-25';
  return `{"jsonrpc":"2.0","id":${idText},"result":{"protocolVersion":"${revision}","capabilities":{"tools":{}},"serverInfo":{"name":"hostile \\u00e9","version":"1.0"}}}`;
}

function listAnswer(idText, cursor, behaviour) {
  if (behaviour === 'list-error') {
    return `{"jsonrpc":"2.0","id":${idText},"error":{"code":-32603,"message":"lost the list"}}`;
  }
  if (behaviour === 'paged-list') {
    const at = cursor === undefined ? 0 : Number(cursor);
    const next = at + 1 < TOOLS.length ? `,"nextCursor":"${at + 1}"` : '';
    return `{"jsonrpc":"2.0","id":${idText},"result":{"tools":[${JSON.stringify(TOOLS[at])}]${next}}}`;
  }
  if (behaviour === 'endless-list') {
    return `{"jsonrpc":"2.0","id":${idText},"result":{"tools":${JSON.stringify(TOOLS)},"nextCursor":"again"}}`;
  }
  const tools = CASE_TOOLS[behaviour] ?? TOOLS;
  return `{"jsonrpc":"2.0","id":${idText},"result":{"tools":${JSON.stringify(tools)}}}`;
}

/** The argument text of a tools/call exactly as it stands in the request. */
export function rawArguments(requestText) {
  const from = requestText.indexOf('"arguments":') + '"arguments":'.length;
  // A progress token may come after them.
  const rest = requestText.slice(from).replace(/,"_meta":\{"progressToken":[^{}]*\}\}\}$/, '}}');
  return rest.slice(0, rest.lastIndexOf('}}'));
}

/** A result whose text content and structured content hold the raw arguments. */
export function echoAnswer(idText, requestText) {
  const received = rawArguments(requestText);
  return `{"jsonrpc":"2.0","id":${idText},"result":{"content":[{"type":"text","text":${JSON.stringify(received)}}],"structuredContent":{"received":${received}}}}`;
}

export function textAnswer(idText, text, extra = '') {
  return `{"jsonrpc":"2.0","id":${idText},"result":{"content":[{"type":"text","text":${JSON.stringify(text)}}]${extra}}}`;
}

/** A request of the server's own; all three are texts, `paramsText` undefined = none. */
export function requestText(idText, method, paramsText) {
  const tail = paramsText === undefined ? '' : `,"params":${paramsText}`;
  return `{"jsonrpc":"2.0","id":${idText},"method":"${method}"${tail}}`;
}
