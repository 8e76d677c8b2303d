#!/usr/bin/env node
// A hostile MCP server on Streamable HTTP: --behaviour NAME [--log FILE]. Prints its URL, then
// serves until its stdin ends.
import { createServer } from 'node:http';
import { CALL_BEHAVIOURS } from './call-behaviours.mjs';
import { expiredWords } from './secret-behaviours.mjs';
import {
  createReadLog,
  readOptions,
  requestText,
  routineAnswer,
  textAnswer,
} from './server-core.mjs';

const { behaviour, log } = readOptions();
const keep = createReadLog(log);
const asked = new Map();
let askCount = 0;
/** The GET stream, where the behaviour's name ends so that its asks go there. */
let standing = null;

const JSON_TYPE = { 'content-type': 'application/json' };
const ON_GET = /-on-get$/;
const RESUMED = new Set(['resumed-stream', 'cut-then-resumed']);
const STREAM_TYPE = { 'content-type': 'text/event-stream' };

/** Behaviours of HTTP alone; the others come from the common table, over an event stream. */
const HTTP_CALLS = {
  'json-echo': (idText, request, response) =>
    CALL_BEHAVIOURS.echo(idText, request, {
      send: (text) => response.writeHead(200, JSON_TYPE).end(text),
    }),
  'json-huge': (idText, request, response) =>
    CALL_BEHAVIOURS['huge-answer'](idText, request, {
      send: (text) => response.writeHead(200, JSON_TYPE).end(text),
    }),
  'batch-stream': (idText, _request, response) =>
    response
      .writeHead(200, STREAM_TYPE)
      .end(`data: [${textAnswer(idText, 'in a batch')},${textAnswer('77', 'another')}]\n\n`),
  'plain-type': (idText, request, response) =>
    CALL_BEHAVIOURS.echo(idText, request, {
      send: (text) => response.writeHead(200, { 'content-type': 'text/plain' }).end(text),
    }),
  'json-nan': (idText, _request, response) =>
    response.writeHead(200, JSON_TYPE).end(`{"jsonrpc":"2.0","id":${idText},"result":NaN}`),
  'half-stream': (_idText, _request, response) => {
    response.writeHead(200, STREAM_TYPE);
    response.write(': soon\n\ndata: {"jsonrpc":"2.0","method":"notifications/progress",');
    response.write('"params":{"progressToken":"p","progress":1}}\n\ndata: {"jsonrpc":"2.0","id"');
    setImmediate(() => response.destroy());
  },
  'stream-ends-early': (_idText, _request, response) => {
    response.writeHead(200, STREAM_TYPE).end('event: ping\ndata: 1\n\n');
  },
  'resumed-stream': (_idText, _request, response) => {
    response.writeHead(200, STREAM_TYPE).end('id: e1\nretry: 10\ndata:\n\n');
  },
  // Far more than any answer needs, and none of it a frame.
  'comment-flood': (_idText, _request, response) => {
    response.writeHead(200, STREAM_TYPE);
    const lines = `:${'c'.repeat(999)}\n`.repeat(1000);
    const flood = () => {
      while (!response.destroyed) if (!response.write(lines)) return response.once('drain', flood);
    };
    flood();
  },
  'long-event-id': (_idText, _request, response) => {
    response.writeHead(200, STREAM_TYPE).end(`id: ${'i'.repeat(900)}\nretry: 10\ndata:\n\n`);
  },
  'long-other-id': (_idText, _request, response) => {
    const id = JSON.stringify('i'.repeat(100_000));
    response.writeHead(200, JSON_TYPE).end(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
  },
  'long-headers': (idText, _request, response) => {
    response.writeHead(200, { ...JSON_TYPE, 'x-long': 'h'.repeat(100_000) });
    response.end(textAnswer(idText, 'behind long headers'));
  },
  'http-500': (_idText, _request, response) => {
    response.writeHead(500, { 'content-type': 'text/html', 'set-cookie': 'secret=cookie' });
    response.end('<h1>Oh no</h1>');
  },
  // A gateway in front of the server, whose JSON is no JSON-RPC.
  'http-503-json': (_idText, _request, response) => {
    response.writeHead(503, JSON_TYPE).end('{"error":"no server is ready"}');
  },
  'session-lost': (_idText, _request, response) => {
    response.writeHead(404, JSON_TYPE);
    response.end(`{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"no session"}}`);
  },
  // Ends the stream with an event id, and then does not know it.
  'unresumable-stream': (_idText, _request, response) => {
    response.writeHead(200, STREAM_TYPE).end('id: e1\nretry: 10\ndata:\n\n');
  },
  'http-400-json': (_idText, _request, response) => {
    response.writeHead(400, JSON_TYPE);
    response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"bad header"}}');
  },
  'http-500-result': (idText, _request, response) =>
    response.writeHead(500, JSON_TYPE).end(textAnswer(idText, 'in a 500')),
  'http-202-result': (idText, _request, response) =>
    response.writeHead(202, JSON_TYPE).end(textAnswer(idText, 'in a 202')),
  'http-300-result': (idText, _request, response) => {
    response.socket.end(
      `HTTP/1.1 300 Multiple Choices\r\nConnection: close\r\n\r\n${textAnswer(idText, 'in a 300')}`,
    );
  },
  'http-500-stream': (idText, _request, response) =>
    response.writeHead(500, STREAM_TYPE).end(`data: ${textAnswer(idText, 'in a 500')}\n\n`),
  'short-body': (idText, _request, response) => {
    const text = textAnswer(idText, 'cut');
    response.writeHead(200, { ...JSON_TYPE, 'content-length': Buffer.byteLength(text) + 50 });
    response.write(text, () => response.destroy());
  },
  'ends-inside-event': (idText, _request, response) =>
    response.writeHead(200, STREAM_TYPE).end(`data: ${textAnswer(idText, 'no empty line')}\n`),
  'cut-then-resumed': (idText, _request, response) =>
    response
      .writeHead(200, STREAM_TYPE)
      .end(`id: e1\nretry: 10\ndata:\n\ndata: ${textAnswer(idText, 'first half')}\n`),
  'html-answer': (_idText, _request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>please log in</p>');
  },
  'empty-answer': (_idText, _request, response) => response.writeHead(200, JSON_TYPE).end(),
  'hangs-up': (_idText, _request, response) => response.destroy(),
  'json-other-id': (_idText, _request, response) =>
    response.writeHead(200, JSON_TYPE).end('{"jsonrpc":"2.0","id":999,"result":{}}'),
  'split-events': (idText, request, response) => {
    response.writeHead(200, STREAM_TYPE);
    let text = '';
    CALL_BEHAVIOURS.echo(idText, request, { send: (sent) => (text = sent) });
    const stream = `\ufeff: hello\r\nid: a\r\nevent: message\r\ndata: ${text}\r\n\r\n`;
    for (const byte of Buffer.from(stream)) response.write(Buffer.of(byte));
    response.end();
  },
};

function streamPeer(response) {
  const begin = () => response.headersSent || response.writeHead(200, STREAM_TYPE);
  const event = (text) => {
    begin();
    for (const line of text.replace(/\n$/, '').split('\n')) response.write(`data: ${line}\n`);
    response.write('\n');
  };
  const peer = {
    send: (...texts) => {
      for (const text of texts) event(text);
      const isLast = texts.some((text) => !text.includes('"method"'));
      if (isLast) response.end();
    },
    raw: event,
    exit: (code) => {
      begin();
      response.end(() => process.exit(code));
    },
    ask: (method, params) => {
      askCount += 1;
      return peer.askAs(`"ask-${askCount}"`, method, JSON.stringify(params));
    },
    askAs: (idText, method, paramsText) =>
      new Promise((resolve) => {
        asked.set(JSON.parse(idText), resolve);
        const text = requestText(idText, method, paramsText);
        if (standing === null) event(text);
        else standing.write(`data: ${text}\n\n`);
      }),
  };
  return peer;
}

function treatCall(message, text, response, request) {
  const idText = JSON.stringify(message.id);
  if (behaviour === 'leaks-header') {
    const told = request.headers.authorization;
    response.writeHead(403, `no ${told}`, { ...JSON_TYPE, 'x-seen': told });
    response.end(`{"jsonrpc":"2.0","id":${idText},"error":{"code":-32001,"message":"no ${told}"}}`);
    return;
  }
  if (behaviour === 'expired-token') {
    const words = expiredWords(request.headers.authorization);
    if (words !== null) {
      response.writeHead(401, { ...JSON_TYPE, 'www-authenticate': `Bearer error="${words}"` });
      return void response.end(JSON.stringify({ error: 'invalid_token', detail: words }));
    }
  }
  const own = HTTP_CALLS[behaviour];
  const common = behaviour.replace(ON_GET, '');
  if (own !== undefined) return own(idText, text, response);
  return (CALL_BEHAVIOURS[common] ?? CALL_BEHAVIOURS.echo)(idText, text, streamPeer(response));
}

function receive(text, response, request) {
  const message = JSON.parse(text);
  if (message.method === 'tools/call') return void treatCall(message, text, response, request);
  if (message.method === undefined) asked.get(message.id)?.(text);
  const answer = routineAnswer(message, behaviour);
  if (answer !== null) {
    const session = message.method === 'initialize' ? { 'mcp-session-id': 'shelf-1' } : {};
    response.writeHead(200, { ...JSON_TYPE, ...session }).end(answer);
  } else if (message.id === undefined || message.method === undefined) {
    response.writeHead(202).end();
  }
}

const server = createServer((request, response) => {
  if (behaviour === 'redirect') {
    response.writeHead(307, { location: 'http://127.0.0.1:1/elsewhere?token=secret' }).end();
    return;
  }
  if (behaviour === 'unauthorized') {
    response.writeHead(401, { 'www-authenticate': 'Bearer realm="secret"' }).end();
    return;
  }
  if (behaviour === 'not-ready') {
    response.writeHead(503, JSON_TYPE).end('{"error":"no server is ready"}');
    return;
  }
  if (request.method === 'GET' && ON_GET.test(behaviour)) {
    standing = response.writeHead(200, STREAM_TYPE);
    standing.flushHeaders();
    return;
  }
  if (request.method === 'GET' && RESUMED.has(behaviour)) {
    const after = request.headers['last-event-id'];
    if (after === undefined) return void response.writeHead(405).end();
    const result = `{"content":[{"type":"text","text":"after ${after}"}]}`;
    response.writeHead(200, STREAM_TYPE);
    response.end(`id: e2\ndata: {"jsonrpc":"2.0","id":2,"result":${result}}\n\n`);
    return;
  }
  if (request.method !== 'POST') {
    response.writeHead(request.method === 'DELETE' ? 204 : 405).end();
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    keep(body);
    keep('\n');
    receive(body.toString('utf8'), response, request);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`);
});
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
