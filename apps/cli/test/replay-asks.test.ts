import { PassThrough, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { runCommandLine } from '../src/run-command-line.ts';
import { depotRun } from './depot-server.ts';
import { misstep } from './support.ts';

const FORM = { message: 'Really \u202e?', requestedSchema: { type: 'object', properties: {} } };

/** A stdio server as a script: it asks before it answers, and gives back the line it was answered. */
function askingServer(method: string, params: object): string {
  const ask = { jsonrpc: '2.0', id: 'q', method, params };
  return `
let called;
const send = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const answer = (result, to = id) => send({ jsonrpc: '2.0', id: to, result });
  if (method === 'initialize') answer({ protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: 'depot', version: '9' } });
  if (method === 'tools/list') answer({ tools: [{ name: 'find_parcel', inputSchema: { type: 'object' } }] });
  if (method === 'tools/call') { called = id; send(${JSON.stringify(ask)}); }
  if (method === undefined) answer({ content: [{ type: 'text', text: line }] }, called);
});`;
}

const words = (runId: string, ...more: string[]) => [
  'replay',
  runId,
  '1',
  '--target',
  'depot',
  '--yes',
  ...more,
];

describe('what a server asks during misstep replay', () => {
  test('gets its default where nobody can be asked, at once; --json tells of it', async () => {
    const { dataFolder, runId } = await depotRun(
      ['{"code":"one"}'],
      askingServer('elicitation/create', FORM),
    );
    const sent = await misstep(dataFolder, words(runId, '--json'));
    expect(sent.documents()).toMatchObject([
      {
        outcome: 'result',
        asks: [
          {
            method: 'elicitation/create',
            answer: { by: 'default', text: '{"action":"decline"}' },
            endedUnanswered: null,
          },
        ],
        asksOmitted: 0,
        receipt: { asks: { byDefault: 1, byPerson: 0 } },
      },
    ]);
  });

  test('gets the answer that was given in advance, as it is written', async () => {
    const { dataFolder, runId } = await depotRun(
      ['{"code":"one"}'],
      askingServer('elicitation/create', FORM),
    );
    const answer = '{"action":"accept", "content":{"n":9007199254740993}}';
    const option = `elicitation/create=${answer}`;
    const sent = await misstep(dataFolder, words(runId, '--answer', option, '--json'));
    expect(sent.documents()).toMatchObject([
      { asks: [{ answer: { by: 'person', text: answer } }] },
    ]);
    const inWords = await misstep(dataFolder, words(runId, '--answer', option, '--no-answers'));
    expect(inWords.out).toContain(
      'the server asked elicitation/create: 1 answered by you, 0 by default',
    );
    for (const wrong of ['elicitation/create', '={}', 'elicitation/create={"a":']) {
      const refused = await misstep(dataFolder, words(runId, '--answer', wrong));
      expect([refused.exitCode, refused.err]).toMatchObject([
        2,
        expect.stringContaining('--answer'),
      ]);
    }
  });

  test('is put to the person on a terminal, with nothing that the terminal obeys', async () => {
    const { dataFolder, runId } = await depotRun(
      ['{"code":"one"}'],
      askingServer('elicitation/create', FORM),
    );
    const typed = ['colour', '{"action":"accept","content":{"w":1.0}}'];
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    let said = '';
    let heard = 0;
    const stderr = Object.assign(
      new Writable({
        write(chunk: Buffer, _encoding, next) {
          said += chunk.toString();
          const prompts = said.split('JSON result, y =').length - 1;
          if (prompts > heard) {
            stdin.write(`${typed[heard] ?? ''}\n`);
            heard += 1;
          }
          next();
        },
      }),
      { isTTY: true },
    );
    let out = '';
    const stdout = new Writable({
      write(chunk: Buffer, _encoding, next) {
        out += chunk.toString();
        next();
      },
    });
    const exitCode = await runCommandLine(
      words(runId, '--json'),
      {
        stdin,
        stdout,
        stderr,
        environment: { MISSTEP_DATA: dataFolder, CI: '1' },
        platform: process.platform,
      },
      new AbortController().signal,
    );
    expect([exitCode, heard]).toEqual([0, 2]);
    expect(said).toContain('The server asks (1): elicitation/create');
    expect(said).toContain('neither JSON nor one of the letters');
    expect(said).toContain('Really \\u202e?');
    expect(said).not.toContain('\u202e');
    expect(JSON.parse(out)).toMatchObject({
      asks: [{ answer: { by: 'person', kind: 'result', text: typed[1] } }],
    });
  });
});
