// Answers each call with the bytes of a file and keeps what it read: --answer FILE --log FILE.
// In the answer ID stands for the call's own id. No SDK: what is tested are the bytes.
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , , answerFile, , logFile] = process.argv;
const answer = readFileSync(answerFile, 'utf8');

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const send = (result) =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  if (method === 'initialize') {
    const { protocolVersion } = params;
    send({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'lossless', version: '1' },
    });
  } else if (method === 'tools/list') {
    send({ tools: [{ name: 'shelf', inputSchema: { type: 'object' } }] });
  } else if (method === 'tools/call') {
    appendFileSync(logFile, `${line}\n`);
    process.stdout.write(answer.replaceAll('ID', String(id)));
  } else if (id !== undefined) {
    const error = { code: -32601, message: 'unknown method' };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
  }
});
