import { describe, expect, test } from 'vitest';
import { Connection, serveHttp } from '../src/index.ts';

const initialize = (capabilities: string) =>
  `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":${capabilities},"clientInfo":{"name":"t","version":"1"}}}`;
const cancel = (ref: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cancel_order","arguments":{"ref":"${ref}"}}}`;
const answer = (result: string) => `{"jsonrpc":"2.0","id":"ask-1","result":${result}}`;

async function cancelled(ref: string, answerText: string): Promise<string[]> {
  const sent: string[] = [];
  const connection = new Connection((text) => {
    sent.push(text);
    if (text.includes('elicitation/create')) void connection.receive(answerText);
  });
  await connection.receive(initialize('{"elicitation":{}}'));
  await connection.receive(cancel(ref));
  return sent.slice(1);
}

describe('cancel_order with a client that can put a question', () => {
  test('asks, and cancels where the person confirms', async () => {
    const [ask, result] = await cancelled(
      'FS-20425',
      answer('{"action":"accept","content":{"confirm":true}}'),
    );
    expect(ask).toContain('Cancel order FS-20425 of ');
    expect(result).toContain('\\"status\\":\\"cancelled\\"');
  });

  test.each([
    answer('{"action":"decline"}'),
    answer('{"action":"accept","content":{"confirm":false}}'),
    answer('{"action":"accept"}'),
    '{"jsonrpc":"2.0","id":"ask-1","error":{"code":-1,"message":"no"}}',
  ])('leaves the order alone on %s', async (text) => {
    const sent = await cancelled('FS-20426', text);
    expect(sent.at(-1)).toContain('nobody confirmed');
  });

  test('over HTTP the answer comes with a request of its own', async () => {
    const { server, url } = await serveHttp(0);
    try {
      const post = (body: string, session = '') =>
        fetch(url, {
          method: 'POST',
          body,
          headers: session === '' ? {} : { 'mcp-session-id': session },
        });
      const opened = await post(initialize('{"elicitation":{"form":{}}}'));
      await opened.text();
      const session = opened.headers.get('mcp-session-id') ?? '';
      const stream = await post(cancel('FS-20427'), session);
      const reader = (stream.body ?? new ReadableStream()).getReader();
      const first = new TextDecoder().decode((await reader.read()).value);
      expect(first).toContain('elicitation/create');
      const accepted = await post(
        answer('{"action":"accept","content":{"confirm":true}}'),
        session,
      );
      expect(accepted.status).toBe(202);
      expect(new TextDecoder().decode((await reader.read()).value)).toContain('cancelled');
      await reader.cancel();
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
