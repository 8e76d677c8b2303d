import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { maskSecrets, type SecretSource } from '@misstep/mcp';
import { lineServer } from '@misstep/testkit';
import { describe, expect, it } from 'vitest';
import { findLogSecrets, maskRecords } from '../src/index.ts';
import { endingOf, newFolder, type Replayed, replayOnce } from './replay-once.ts';

/** Long, so that a cut falls into it, and nowhere like itself: any ten characters give it away. */
const KEY = Array.from(
  { length: 90 },
  (_, at) => `${((at * 7919 + 13) % 100_000).toString(36)}-Z${at}`,
).join('');
const LINES = `-----BEGIN KEY-----\n${KEY.slice(0, 60)}\n${KEY.slice(60, 120)}\n-----END KEY-----`;

/** A server in which `KEY` is the secret of its environment, and `pad(n)` brings a cut into it. */
function server(body: string): { transport: 'stdio'; command: string; args: string[]; cwd: null } {
  const script = join(newFolder(), 'server.mjs');
  writeFileSync(
    script,
    lineServer(
      `    if (method === 'initialize') write({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'depot', version: '9' } } });
    if (method === 'tools/list') write({ id, result: { tools: [{ name: 'echo', inputSchema: { type: 'object' }, outputSchema: { type: 'object', properties: { n: { enum: ['one'] } } } }] } });
    if (method === 'tools/call') { ${body} }`,
      `const KEY = process.env.DEPOT_KEY;
const pad = (count) => 'x'.repeat(count) + ' ';
const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');`,
    ),
  );
  chmodSync(script, 0o600);
  return { transport: 'stdio', command: process.execPath, args: [script], cwd: null };
}

const secretsOf = (value: string) => ({
  environment: new Map([['DEPOT_KEY', value]]),
  headers: new Map<string, string>(),
});

async function replayed(body: string, value = KEY): Promise<Replayed> {
  return replayOnce(server(body), { secrets: secretsOf(value), timeoutMs: 10_000 });
}

/** Every run of ten characters of the key that stands in the text. */
function partsIn(text: string, value = KEY): string[] {
  const parts: string[] = [];
  for (let at = 0; at + 10 <= value.length; at += 1) {
    const part = value.slice(at, at + 10);
    if (text.includes(part) && !part.includes('-----')) parts.push(part);
  }
  return parts;
}

/** What Misstep says of a replay, as it is shown; the frames and stderr are what the server said. */
function ownWords(run: Replayed, secrets: SecretSource): string {
  const { sentence, receiptText } = endingOf(run);
  const events = run.events.filter(({ kind }) => kind !== 'stderr');
  return JSON.stringify([
    sentence,
    receiptText,
    events,
    run.frames.map(({ remark }) => maskSecrets(remark ?? '', secrets)),
  ]);
}

const CUTS: Readonly<Record<string, string>> = {
  'a message of an error at 500 characters': `write({ id, error: { code: -32000, message: pad(480) + KEY } });`,
  'a message of an error, white space squeezed': `write({ id, error: { code: -32000, message: KEY + pad(900) } });`,
  'the text of an error at 4,096': `write({ id, error: { code: -32000, message: 'm', data: pad(4010) + KEY } });`,
  'the code of an error': `write({ id, error: { code: KEY, message: 'm' } });`,
  'the end of a line on stderr': `process.stderr.write(KEY + pad(270), () => process.exit(3));`,
  'the beginning of a line on stderr': `process.stderr.write(pad(1000) + KEY, () => process.exit(3));`,
  'the id of an answer': `write({ id: KEY + KEY, result: {} }); process.exit(3);`,
  'a member beside those of JSON-RPC': `write({ id, result: { content: [] }, [pad(40) + KEY]: 1 });`,
  'the version of JSON-RPC': `process.stdout.write(JSON.stringify({ jsonrpc: KEY, id, result: { content: [] } }) + '\\n');`,
  'a text that only looks like JSON': `write({ id, result: { content: [{ type: 'text', text: "{'a': '" + KEY + "'}" }] } });`,
  'a value that breaks the schema': `write({ id, result: { content: [], structuredContent: { n: KEY } } });`,
  'a request of the server': `write({ id: KEY, method: pad(180).trim() + KEY, params: {} }); write({ id, result: { content: [] } });`,
  'the type of a content': `write({ id, result: { content: [{ type: KEY }] } });`,
};

describe.concurrent('a text that is cut inside a secret', () => {
  it.each(Object.entries(CUTS))('%s', async (_what, body) => {
    const run = await replayed(body);
    expect(partsIn(ownWords(run, secretsOf(KEY)))).toEqual([]);
    expect(partsIn(Buffer.from(run.frameLog).toString('latin1'))).not.toEqual([]);
  });

  it.each([
    ['a sentence', `write({ id, error: { code: -32000, message: KEY } });`],
    ['the last line on stderr', `process.stderr.write(KEY, () => process.exit(3));`],
  ])('a key of several lines: %s', async (_what, body) => {
    const run = await replayed(body, LINES);
    expect(partsIn(ownWords(run, secretsOf(LINES)), LINES.replaceAll('\n', ' '))).toEqual([]);
    expect(partsIn(ownWords(run, secretsOf(LINES)), KEY.slice(0, 120))).toEqual([]);
  });

  it('stderr of which the middle is not kept', async () => {
    const run = await replayed(
      `process.stderr.write('y'.repeat(256 * 1024 - 40) + KEY + 'y'.repeat(900000 - KEY.length) + KEY + 'y'.repeat(256 * 1024 - 40), () => write({ id, result: { content: [] } }));`,
    );
    const address = server('');
    const places = await findLogSecrets(run.frameLog, secretsOf(KEY), address);
    const { frameLog } = maskRecords(run.frameLog, { places, values: undefined });
    expect(partsIn(Buffer.from(run.frameLog).toString('latin1'))).not.toEqual([]);
    expect(partsIn(Buffer.from(frameLog).toString('latin1'))).toEqual([]);
  });
});
