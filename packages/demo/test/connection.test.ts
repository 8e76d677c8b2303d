import { member, nodeText, parseJson, stringValue } from '@misstep/json';
import { beforeEach, describe, expect, test } from 'vitest';
import { Connection } from '../src/index.ts';

let sent: string[];
let connection: Connection;

beforeEach(() => {
  sent = [];
  connection = new Connection((text) => sent.push(text));
});

async function call(tool: string, argumentsText: string, id = '1'): Promise<string> {
  await connection.receive(
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${tool}","arguments":${argumentsText}}}`,
  );
  return sent.at(-1) ?? '';
}

function textBlock(answer: string): string {
  const parsed = parseJson(answer);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const document = parsed.value;
  const result = member(document, document.root, 'result');
  const content = result && member(document, result, 'content');
  const block = content?.kind === 'array' ? content.items[0] : undefined;
  const text = block && member(document, block, 'text');
  if (text?.kind !== 'string') throw new Error(`no text block in ${answer}`);
  return stringValue(document, text);
}

describe('the honest faults of the demo server', () => {
  test('a phrase where a date is meant gives an empty list and no error', async () => {
    const answer = await call(
      'search_orders',
      '{"customer":"Hollow Farm","placed_after":"last Tuesday"}',
    );
    expect(textBlock(answer)).toBe('{"count":0,"truncated":false,"orders":[]}');
    expect(answer).toContain('"isError":false');
  });

  test('a customer in other letters gives an empty list', async () => {
    const empty = await call('search_orders', '{"customer":"hollow farm"}');
    expect(textBlock(empty)).toMatch(/^\{"count":0,/);
    const found = await call('search_orders', '{"customer":"Hollow Farm"}');
    expect(textBlock(found)).toMatch(/^\{"count":20,/);
  });

  test('limit has a ceiling of twenty that only the flag tells of', async () => {
    const answer = textBlock(await call('search_orders', '{"customer":"Hollow Farm","limit":100}'));
    expect(answer).toMatch(/^\{"count":20,"truncated":true,/);
    expect(answer.match(/"ref"/g)).toHaveLength(20);
  });

  test('three orders of Hollow Farm were placed since that Tuesday', async () => {
    const answer = textBlock(
      await call('search_orders', '{"customer":"Hollow Farm","placed_after":"2026-11-17"}'),
    );
    expect(answer).toMatch(/^\{"count":3,"truncated":false,/);
  });

  test('an order has an id above 2^53, a 1.0 and a duplicate key, in text and in structure', async () => {
    const answer = await call('get_order', '{"ref":"FS-20417"}');
    for (const text of [textBlock(answer), answer.slice(answer.indexOf('"structuredContent":'))]) {
      expect(text).toContain('"id":9007199254740993');
      expect(text).toContain('"weight_kg":1.0');
      expect(text).toContain('"note":"leave with the neighbour","note":"ring twice"');
    }
  });

  test('one in twenty overlapping stock checks fails', async () => {
    const before = sent.length;
    await Promise.all(
      Array.from({ length: 41 }, (_value, index) =>
        call('check_stock', '{"variety":"sea-fennel"}', String(index)),
      ),
    );
    const failed = sent.slice(before).filter((answer) => answer.includes('"isError":true'));
    expect(failed).toHaveLength(2);
  });

  test('cancelling an order is marked destructive and happens once', async () => {
    expect(await call('cancel_order', '{"ref":"FS-20420"}')).toContain('cancelled');
    expect(await call('cancel_order', '{"ref":"FS-20420"}')).toContain('"isError":true');
    await connection.receive('{"jsonrpc":"2.0","id":9,"method":"tools/list"}');
    expect(sent.at(-1)).toMatch(/"name":"cancel_order".*"destructiveHint":true/);
  });
});

describe('the protocol', () => {
  test('ids come back as they were written', async () => {
    await connection.receive('{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}');
    await connection.receive('{"jsonrpc":"2.0","id":"a","method":"ping"}');
    expect(sent).toEqual([
      '{"jsonrpc":"2.0","id":9007199254740993,"result":{}}',
      '{"jsonrpc":"2.0","id":"a","result":{}}',
    ]);
  });

  test('what is no request is answered with an error or, as a notification, not at all', async () => {
    await connection.receive('{');
    await connection.receive('{"jsonrpc":"2.0","id":1,"method":"no/such"}');
    await connection.receive('{"jsonrpc":"2.0","method":"no/such"}');
    await call('no_such_tool', '{}');
    const codes = sent.map((text) => {
      const parsed = parseJson(text);
      const error = parsed.ok ? member(parsed.value, parsed.value.root, 'error') : undefined;
      const code = parsed.ok && error ? member(parsed.value, error, 'code') : undefined;
      return parsed.ok && code ? nodeText(parsed.value, code) : text;
    });
    expect(codes).toEqual(['-32700', '-32601', '-32602']);
  });

  test('a slow call reports progress, and stops in silence when it is cancelled', async () => {
    const work = connection.receive(
      '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"season_forecast","arguments":{},"_meta":{"progressToken":"p"}}}',
    );
    await connection.receive(
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}',
    );
    await work;
    expect(sent).toEqual([]);
    await call('season_forecast', '{}');
    expect(textBlock(sent.at(-1) ?? '')).toContain('"season":"spring 2027"');
  });
});
