#!/usr/bin/env node
// A hostile MCP server of revision 2026-07-28 on stdio, or with --http on Streamable HTTP:
// --behaviour NAME [--log FILE] [--http]. Over HTTP it prints its URL and serves until its stdin
// ends. The log holds what it read; over HTTP also the headers and whether a stream was closed.
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { answerModern } from './modern-core.mjs';
import { createReadLog, routineAnswer } from './server-core.mjs';

const { values } = parseArgs({
  options: {
    behaviour: { type: 'string', default: 'echo' },
    log: { type: 'string' },
    http: { type: 'boolean', default: false },
  },
});
const { behaviour } = values;
const keep = createReadLog(values.log);

/** Legacy servers that take a request from before the handshake amiss, and a slow modern one. */
function treatLine(line) {
  const { method } = JSON.parse(line);
  const isDiscover = method === 'server/discover';
  if (behaviour === 'legacy-exits' && isDiscover) {
    process.stderr.write('what is server/discover?\n');
    process.exit(4);
  }
  if (behaviour === 'legacy-silent' && isDiscover) return;
  if (behaviour.startsWith('legacy') || behaviour === 'only-earlier') {
    const answer = isDiscover
      ? (answerModern(line, behaviour)?.text ?? null)
      : routineAnswer(JSON.parse(line), 'echo');
    const isCall = method === 'tools/call';
    const { id } = JSON.parse(line);
    const result = `{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}`;
    if (isCall || answer !== null) process.stdout.write(`${isCall ? result : answer}\n`);
    return;
  }
  const answer = answerModern(line, behaviour);
  if (answer !== null) process.stdout.write(`${answer.text}\n`);
}

function serveStdio() {
  let held = '';
  let isReady = behaviour !== 'slow-start';
  const work = () => {
    for (let end = held.indexOf('\n'); isReady && end >= 0; end = held.indexOf('\n')) {
      const line = held.slice(0, end);
      held = held.slice(end + 1);
      treatLine(line);
    }
  };
  if (!isReady) {
    setTimeout(() => {
      isReady = true;
      work();
    }, 2500);
  }
  process.stdin.on('data', (chunk) => {
    keep(chunk);
    held += chunk.toString('utf8');
    work();
  });
}

function serveHttp() {
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      keep(`${JSON.stringify({ method: request.method, headers: request.headers, text })}\n`);
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const answer = answerModern(text, behaviour);
      if (answer !== null) {
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
        return;
      }
      response.on('close', () => keep('closed\n'));
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': working\n\n');
    });
  });
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`);
  });
  process.stdin.resume();
  process.stdin.on('end', () => process.exit(0));
}

if (values.http) serveHttp();
else serveStdio();
