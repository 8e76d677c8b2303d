import { describe, expect, test } from 'vitest';
import { readLineHead } from '../src/formats/plain-text/line-head.ts';

describe('what a line of a transcript begins with', () => {
  test.each([
    ['→ find {"a": 1}', 'call', 'find {"a": 1}'],
    ['[10:00:00] -> find', 'call', 'find'],
    ['2026-11-20T08:00:00Z --> find', 'call', 'find'],
    ['- [10:00] => find', 'call', 'find'],
    ['→ tools/call find {}', 'call', 'tools/call find {}'],
    ['→ Calling tool: find', 'call', 'find'],
    ['**Tool call:** `find`', 'call', '`find`'],
    ['[tool_use] find', 'call', 'find'],
    ['🔧 Using tool find', 'call', 'find'],
    ['Action: find', 'call', 'find'],
    ['-&gt; find {}', 'call', 'find {}'],
    ['← {"a": 1}', 'result', '{"a": 1}'],
    ['<= [1]', 'result', '[1]'],
    ['← error {"code": 1}', 'result', '{"code": 1}'],
    ['← result: 5', 'result', '5'],
    ['Observation: none', 'result', 'none'],
    ['[tool_result]', 'result', ''],
    ['INFO agent: Tool result: []', 'result', '[]'],
    ['[server] <-- {}', 'result', '{}'],
    ['User: hello', 'speaker', 'hello'],
    ['## Assistant', 'speaker', ''],
    ['👤 **Human:** hi', 'speaker', 'hi'],
    ['[10:00] Assistant: 10:30 is fine', 'speaker', '10:30 is fine'],
    ['```json', 'structure', '```json'],
    ['</details>', 'structure', '</details>'],
    ['Users: many', 'text', 'Users: many'],
    ['The result was good', 'text', 'The result was good'],
    ['Result of the day', 'text', 'Result of the day'],
    ['errors happen', 'text', 'errors happen'],
    ['"error": "x",', 'text', '"error": "x",'],
    ['- item', 'text', '- item'],
  ])('%s', (body, type, rest) => {
    const { head } = readLineHead(body);
    expect(head.type).toBe(type);
    expect(body.slice(head.at).trimStart()).toBe(rest);
  });

  test.each([
    ['[10:14:02] x', '10:14:02'],
    ['[10:14:02.125] x', '10:14:02.125'],
    ['(10:14 PM) x', '10:14 PM'],
    ['10:14:02 x', '10:14:02'],
    ['2026-11-20 08:00:01,5 x', '2026-11-20 08:00:01,5'],
    ['[2026-11-20T08:00:01+01:00] x', '2026-11-20T08:00:01+01:00'],
    ['**[10:14:02]** x', '10:14:02'],
  ])('the stamp of %s', (body, text) => {
    const { time, at } = readLineHead(body);
    expect(time?.text).toBe(text);
    expect(body.slice(at)).toBe('x');
  });

  test.each(['10:14 x', 'at 10:14:02', '[99:14:02] x', '[10] x', '{"at": "10:14:02"}'])(
    '%s has no stamp',
    (body) => expect(readLineHead(body).time).toBeNull(),
  );

  test('errors are told apart', () => {
    const errorOf = (body: string): unknown => {
      const { head } = readLineHead(body);
      return head.type === 'result' && head.error;
    };
    expect(['← error x', 'Error: x', '✗ x', '[tool_error]'].map(errorOf)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['← x', 'Result: error free', '[tool_result]'].map(errorOf)).toEqual([
      false,
      false,
      false,
    ]);
  });
});
