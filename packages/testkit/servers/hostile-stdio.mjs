#!/usr/bin/env node
// A hostile MCP server on stdio: --behaviour NAME [--log FILE]. No SDK: faults need raw bytes.
import { closeSync } from 'node:fs';
import { CALL_BEHAVIOURS } from './call-behaviours.mjs';
import { createReadLog, readOptions, requestText, routineAnswer } from './server-core.mjs';

const { behaviour, log } = readOptions();
const keep = createReadLog(log);

if (behaviour === 'exit-on-start') {
  process.stderr.write('cannot open the warehouse\n');
  process.exit(7);
}
if (behaviour === 'banner') process.stdout.write('Warehouse server 1.0 listening\n\n');

const treatCall = CALL_BEHAVIOURS[behaviour] ?? CALL_BEHAVIOURS.echo;
const asked = new Map();
let askCount = 0;

const peer = {
  send: (...texts) => process.stdout.write(texts.map((text) => `${text}\n`).join('')),
  raw: (text) => process.stdout.write(text),
  // Only after everything written has left the process.
  exit: (code) => process.stdout.write('', () => process.exit(code)),
  ask: (method, params) => {
    askCount += 1;
    return peer.askAs(`"ask-${askCount}"`, method, JSON.stringify(params));
  },
  askAs: (idText, method, paramsText) =>
    new Promise((resolve) => {
      asked.set(JSON.parse(idText), resolve);
      peer.send(requestText(idText, method, paramsText));
    }),
};

function receive(line) {
  const message = JSON.parse(line);
  if (behaviour === 'closes-stdout-early' && message.method === 'initialize') return closeStdout();
  if (behaviour === 'closes-stdout' && message.method === 'tools/call') return closeStdout();
  if (message.method === 'tools/call') {
    void treatCall(JSON.stringify(message.id), line, peer);
    return;
  }
  if (message.method === undefined) {
    asked.get(message.id)?.(line);
    return;
  }
  const answer = routineAnswer(message, behaviour);
  if (answer === null) return;
  if (behaviour === 'closes-stdin' && message.method === 'tools/list') {
    setInterval(() => undefined, 1000);
    process.stdin.destroy().once('close', () => {
      // Destroying the stream alone leaves the descriptor open.
      closeSync(0);
      peer.send(answer);
    });
    return;
  }
  peer.send(answer);
}

/** Closes the descriptor and lives on, so that only the end of the output shows. */
function closeStdout() {
  setInterval(() => undefined, 1000);
  process.stdout.destroy();
  closeSync(1);
}

let held = '';
process.stdin.on('data', (chunk) => {
  keep(chunk);
  held += chunk.toString('latin1');
  for (let end = held.indexOf('\n'); end >= 0; end = held.indexOf('\n')) {
    const line = Buffer.from(held.slice(0, end), 'latin1').toString('utf8');
    held = held.slice(end + 1);
    receive(line);
  }
});
