import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeFrame } from '../src/index.ts';

function describeText(text: string) {
  return describeFrame(Buffer.from(text, 'utf8'));
}

describe('describeFrame', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":1,"method":"ping"}', 'request', 'ping', '1'],
    [
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      'notification',
      'notifications/initialized',
      null,
    ],
    ['{"jsonrpc":"2.0","id":"7","result":{}}', 'response', null, '"7"'],
    ['{"jsonrpc":"2.0","id":"\\u0037","result":{}}', 'response', null, '"\\u0037"'],
    ['{"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"no"}}', 'error', null, '3'],
    [' {"jsonrpc":"2.0","id":-0,"result":{}} ', 'response', null, '-0'],
  ])('%s is plain', (text, kind, method, idText) => {
    expect(describeText(text)).toEqual({ kind, method, idText, remark: null });
  });

  it.each([
    ['{"jsonrpc":"2.0","id":1.5,"result":{}}', 'response', '1.5', 'The id 1.5 is no integer.'],
    ['{"jsonrpc":"2.0","id":1.0,"result":{}}', 'response', '1.0', 'The id 1.0 is no integer.'],
    [
      '{"jsonrpc":"2.0","id":9007199254740993,"result":{}}',
      'response',
      '9007199254740993',
      'larger than clients can hold exactly',
    ],
    [
      '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}',
      'error',
      'null',
      'The id is null',
    ],
    ['{"jsonrpc":"2.0","id":{},"result":1}', 'response', '{}', 'neither string nor number'],
    ['{"jsonrpc":"2.0","result":1}', 'response', null, 'An answer without "id"'],
    ['{"jsonrpc":"2.0","id":1,"result":[]}', 'response', '1', '"result" is no object'],
    ['{"id":1,"result":{}}', 'response', '1', 'No "jsonrpc" member'],
    ['{"jsonrpc":2.0,"id":1,"result":{}}', 'response', '1', '"jsonrpc" is 2.0, not "2.0"'],
    [
      '{"jsonrpc":"2.0","id":1,"id":2,"result":{}}',
      'response',
      '2',
      '"id" stands 2 times; the last one counts.',
    ],
    ['{"jsonrpc":"2.0","id":1,"result":{},"extra":1}', 'response', '1', 'Holds "extra" beside'],
    [
      '{"jsonrpc":"2.0","id":1,"result":{},"__proto__":1}',
      'response',
      '1',
      'Holds "__proto__" beside',
    ],
    [
      '{"jsonrpc":"2.0","id":1,"error":{"code":"E","message":""}}',
      'error',
      '1',
      '"code" is no integer',
    ],
    ['{"jsonrpc":"2.0","id":1,"error":"no"}', 'error', '1', '"error" is no object'],
    [
      '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}',
      'malformed',
      '1',
      'both "result" and "error"',
    ],
    ['{"jsonrpc":"2.0","id":1}', 'malformed', '1', 'no "method", "result" or "error"'],
    ['{"jsonrpc":"2.0","id":1,"method":5}', 'malformed', '1', '"method" is no string'],
    ['[{"jsonrpc":"2.0","id":1,"result":{}}]', 'batch', null, 'only revision 2025-03-26'],
    [
      '{"jsonrpc":"2.0","id":1,"result":NaN}',
      'malformed',
      null,
      'Not JSON: Expected a value at line 1, column 34',
    ],
    ['{"jsonrpc"', 'malformed', null, 'Not JSON'],
    ['\ufeff{"jsonrpc":"2.0","id":1,"result":{}}', 'response', '1', 'byte order mark'],
    ['42', 'malformed', null, 'JSON, but no object'],
    ['Server running on stdio', 'noise', null, 'Text that is no JSON'],
    ['Content-Length: 52', 'noise', null, 'Text that is no JSON'],
    ['', 'noise', null, 'An empty frame'],
  ])('%s has a remark', (text, kind, idText, remark) => {
    const head = describeText(text);
    expect(head.remark).toContain(remark);
    expect({ kind: head.kind, idText: head.idText }).toEqual({ kind, idText });
  });

  it('says where bytes are no UTF-8', () => {
    const bytes = Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"a":"\xff"}}', 'latin1');
    expect(describeFrame(bytes).remark).toBe('Not valid UTF-8 at byte 39.');
  });

  it('takes depth without a stack overflow', () => {
    const deep = `{"jsonrpc":"2.0","id":1,"result":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    expect(describeText(deep)).toEqual({
      kind: 'response',
      method: null,
      idText: '1',
      remark: null,
    });
  });

  it('never throws, and remarks on everything that it can not read', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const head = describeFrame(bytes);
        if (head.kind === 'malformed' || head.kind === 'noise') {
          expect(head.remark).not.toBeNull();
        }
      }),
    );
  });
});
