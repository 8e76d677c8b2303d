import { describe, expect, it } from 'vitest';
import { remarkOnResult } from '../src/result-remarks.ts';

const remarksOn = (text: string, definition: string | null = null) =>
  remarkOnResult(
    new TextEncoder().encode(JSON.stringify({ content: [{ type: 'text', text }] })),
    definition,
  );

describe('what a reader takes offence at in a result', () => {
  it.each([
    ["{'a': datetime.date(2026, 1, 5)}", 'datetime.date(2026, 1, 5)'],
    ["[{'a': 1}]", "{'a':"],
    ["{'price': Decimal('1.50')}", "{'price':"],
    ['<shelf.Box object at 0x7f3c>', '<shelf.Box object at 0x7f3c>'],
    ['[object Object]', '[object Object]'],
    ['{"a":NaN}', 'NaN'],
    ['[1,-Infinity]', 'Infinity'],
  ])('%s', (text, words) => {
    expect(remarksOn(text)).toEqual([expect.stringContaining(`Its text holds ${words}`)]);
  });

  it.each([
    '{"a":"NaN, None and datetime.date(2026)"}',
    'It was None of them, datetime.date(2026, 1, 5) neither.',
    "<html><script>const a = {'b': 1, c: NaN};</script></html>",
    '[see the shelf](https://shelf.example) for more',
    '',
  ])('nothing: %s', (text) => {
    expect(remarksOn(text)).toEqual([]);
  });

  it('holds it against the outputSchema, within a bounded time', () => {
    const definition = (pattern: string) =>
      JSON.stringify({ outputSchema: { type: 'object', properties: { a: { pattern } } } });
    expect(remarksOn('x', definition('b'))).toEqual([
      'A strict client would refuse this result: the tool declares an outputSchema, and there is no structuredContent.',
    ]);
    const endless = `{"structuredContent":{"a":"${'a'.repeat(40)}!"}}`;
    const bytes = new TextEncoder().encode(endless);
    expect(remarkOnResult(bytes, definition('^(a+)+$'))).toEqual([]);
  });
});
