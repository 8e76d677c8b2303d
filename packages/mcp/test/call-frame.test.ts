import { parseJson } from '@misstep/json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callFrameText, onOneLine } from '../src/index.ts';

describe('callFrameText', () => {
  it('puts the argument text into the envelope as it is', () => {
    expect(callFrameText('"a"', 'say "hi"\n', '{ "n" : 1.0 }')).toBe(
      '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"say \\"hi\\"\\n","arguments":{ "n" : 1.0 }}}',
    );
  });
});

describe('onOneLine', () => {
  it('keeps a text without line breaks', () => {
    const text = '{"a":"\\n\\r", "b":\t1}';
    expect(onOneLine(text)).toBe(text);
  });

  it('changes nothing that means something, and no length', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('\n', '\r', '\r\n'), (json, lineBreak) => {
        const pretty = JSON.stringify(JSON.parse(json), null, 2).replaceAll('\n', lineBreak);
        const line = onOneLine(pretty);
        expect(line).not.toMatch(/[\r\n]/);
        expect(line).toHaveLength(pretty.length);
        expect(parseJson(line).ok).toBe(true);
        expect(JSON.parse(line)).toEqual(JSON.parse(pretty));
      }),
    );
  });
});
