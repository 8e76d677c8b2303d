import { describe, expect, it } from 'vitest';
import { headerValue, methodHeaders, parameterHeaders } from '../src/modern-headers.ts';

function definition(inputSchema: unknown): string {
  return JSON.stringify({ name: 'echo', inputSchema });
}

function header(type: string, name: unknown = 'Shelf') {
  return { type, 'x-mcp-header': name };
}

describe('headerValue', () => {
  it.each([
    ['us-west1', 'us-west1'],
    ['a b', 'a b'],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
    ['', '=?base64??='],
  ])('%j', (text, value) => {
    expect(headerValue(text)).toBe(value);
  });
});

describe('methodHeaders', () => {
  it('has a name only where the method has one', () => {
    expect(methodHeaders('tools/list', null)).toEqual({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
    });
    expect(methodHeaders('tools/call', 'größe')['mcp-name']).toBe('=?base64?Z3LDtsOfZQ==?=');
  });
});

describe('parameterHeaders', () => {
  const nested = definition({
    type: 'object',
    properties: {
      at: {
        type: 'object',
        properties: { shelf: header('string'), row: header('integer', 'Row') },
      },
      sure: header('boolean', 'Sure'),
      'x-mcp-header': { type: 'string' },
    },
  });

  it.each([
    ['{"at":{"shelf":"A-7","row":3},"sure":true}', { shelf: 'A-7', row: '3', sure: 'true' }],
    ['{"at":{"shelf":"A","shelf":"B"}}', { shelf: 'B' }],
    ['{"at":{"row":42.0}}', { row: '42' }],
    ['{"at":{"row":9007199254740993}}', { row: '9007199254740993' }],
    ['{"at":{"row":-0}}', { row: '0' }],
    ['{"at":null,"sure":null}', {}],
    ['{"x-mcp-header":"no"}', {}],
    ['{}', {}],
  ])('%s', (given, expected) => {
    const { headers, fault } = parameterHeaders(nested, given);
    expect(fault).toBeNull();
    const wanted = Object.entries(expected).map(([name, value]) => [`mcp-param-${name}`, value]);
    expect(new Map(headers)).toEqual(new Map(wanted.map(([name, value]) => [name ?? '', value])));
  });

  it.each([
    [{ properties: { a: header('number') } }, 'neither string, integer nor boolean'],
    [{ properties: { a: header('string', '') } }, '"" is no name of a header'],
    [{ properties: { a: header('string', 'a\r\nb') } }, 'is no name of a header'],
    [{ properties: { a: header('string', 7) } }, 'is no string'],
    [{ properties: { a: header('string', 'x'), b: header('string', 'X') } }, 'stands twice'],
    [{ properties: { a: { items: header('string') } } }, 'where no chain of properties leads'],
    [{ anyOf: [{ properties: { a: header('string') } }] }, 'where no chain of properties leads'],
  ])('%j is invalid', (schema, fault) => {
    const found = parameterHeaders(definition(schema), '{"a":"x"}');
    expect(found.fault).toContain(fault);
    expect([...found.headers]).toEqual([]);
  });
});
