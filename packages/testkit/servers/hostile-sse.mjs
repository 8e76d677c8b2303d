#!/usr/bin/env node
// A hostile MCP server on HTTP+SSE (MCP 2024-11-05): --behaviour NAME [--log FILE]. Prints the URL of
// its event stream, then serves until its stdin ends.
import { createServer } from 'node:http';
import { createReadLog, echoAnswer, readOptions, routineAnswer } from './server-core.mjs';

const { behaviour, log } = readOptions();
const keep = createReadLog(log);
const STREAM_TYPE = { 'content-type': 'text/event-stream' };
let stream = null;

function openStream(response) {
  const base = `http://127.0.0.1:${server.address().port}`;
  if (behaviour === 'html') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello</p>');
    return;
  }
  if (behaviour === 'not-found') {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('no such shelf');
    return;
  }
  response.writeHead(200, STREAM_TYPE);
  if (behaviour === 'ends-at-once') return void response.end(': nothing today\n\n');
  if (behaviour === 'no-endpoint') return void response.write(': still thinking\n\n');
  const endpoints = {
    'other-origin': 'http://127.0.0.1:1/messages?sessionId=s-1',
    'other-scheme': 'file:///etc/passwd',
    absolute: `${base}/messages?sessionId=s-1`,
  };
  stream = response;
  response.write(`: welcome\nid: 1\nretry: 500\nevent: endpoint\n`);
  response.write(`data: ${endpoints[behaviour] ?? '/messages?sessionId=s-1'}\n\n`);
}

function send(text) {
  stream?.write(`event: message\ndata: ${text}\n\n`);
}

function receive(text, response) {
  const message = JSON.parse(text);
  const isCall = message.method === 'tools/call';
  const answer = isCall
    ? echoAnswer(JSON.stringify(message.id), text)
    : routineAnswer(message, behaviour);
  if (isCall && behaviour === 'answers-in-post') {
    response.writeHead(202, { 'content-type': 'application/json' }).end(answer);
    return;
  }
  if (isCall && behaviour === 'refuses-post') {
    response.writeHead(400, { 'content-type': 'text/plain' }).end('unknown session');
    return;
  }
  response.writeHead(202).end('Accepted');
  if (isCall && behaviour === 'drops-stream') return void stream?.destroy();
  if (isCall && behaviour === 'ends-stream') return void stream?.end();
  if (answer !== null) send(answer);
}

const server = createServer((request, response) => {
  if (request.method === 'GET') return openStream(response);
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    keep(body);
    keep('\n');
    receive(body.toString('utf8'), response);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}/sse\n`);
});
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
