import { parseJson } from '@misstep/json';
import type { Step } from '@misstep/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { argumentSummary } from '../src/argument-summary.ts';
import { isEmptyResult, isEmptyText } from '../src/empty-result.ts';
import { readLines, type SourceLine } from '../src/index.ts';
import { firstLine, oneLine } from '../src/one-line.ts';
import { orderSteps } from '../src/order-steps.ts';
import { headFromBytes } from '../src/source-head.ts';
import { makeStep, originAt, stepIdAt } from '../src/step-builder.ts';
import { splitToolName, splitWrittenToolName } from '../src/tool-name.ts';
import { sourceOf, sourceOfText } from './support.ts';

async function linesOf(bytes: Uint8Array, maxLineBytes?: number): Promise<SourceLine[]> {
  const lines: SourceLine[] = [];
  for await (const line of readLines(sourceOf('lines', bytes), undefined, maxLineBytes))
    lines.push(line);
  return lines;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('lines', () => {
  test('end at line feeds only; blank ones are left out', async () => {
    const lines = await linesOf(bytesOf('\ufeffa\u2028b\r\n\n \t\r\né\u0085\nlast'));
    expect(lines.map(({ text }) => text)).toEqual(['a\u2028b', 'é\u0085', 'last']);
    expect(lines.map(({ offset, length }) => [offset, length])).toEqual([
      [0, 9],
      [15, 4],
      [20, 4],
    ]);
    expect(lines.map(({ closed }) => closed)).toEqual([true, true, false]);
  });

  test('spans cover the bytes, whatever they are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        for (const line of await linesOf(bytes)) {
          const span = bytes.subarray(line.offset, line.offset + line.length);
          expect(line.bytes).toEqual(span);
          expect(span.includes(10)).toBe(false);
          expect(bytes[line.offset + line.length] === 10).toBe(line.closed);
        }
      }),
    );
  });

  test('over chunks and too long', async () => {
    const long = 'x'.repeat(3 * 1024 * 1024);
    const bytes = bytesOf(`${long}\n{"a":1}\n${long}`);
    const lines = await linesOf(bytes);
    expect(lines.map(({ length }) => length)).toEqual([long.length, 7, long.length]);
    const capped = await linesOf(bytes, 1000);
    expect(capped.map(({ tooLong, text }) => [tooLong, text])).toEqual([
      [true, ''],
      [false, '{"a":1}'],
      [true, ''],
    ]);
    expect(capped.map(({ offset }) => offset)).toEqual(lines.map(({ offset }) => offset));
  });

  test('invalid UTF-8 is told by its offset', async () => {
    const lines = await linesOf(new Uint8Array([97, 10, 98, 0xff, 99, 10]));
    expect(lines.map(({ invalidUtf8At }) => invalidUtf8At)).toEqual([null, 3]);
  });
});

describe('heads', () => {
  test('a cut character and a cut line are left out', () => {
    const bytes = bytesOf('{"a":1}\nnot json\n{"b": "é');
    const head = headFromBytes('x', bytes.length + 10, bytes.subarray(0, bytes.length - 1));
    expect(head.text.endsWith('"')).toBe(true);
    expect(head.lines).toEqual(['{"a":1}', 'not json']);
    expect(head.lineValues).toEqual([{ a: 1 }, undefined]);
    expect(head.whole).toBe(false);
  });

  test('a whole source keeps its last line', () => {
    const bytes = bytesOf('\ufeffone\ntwo');
    const head = headFromBytes('x', bytes.length, bytes);
    expect([head.whole, head.lines]).toEqual([true, ['one', 'two']]);
  });
});

describe('tool names', () => {
  test.each([
    ['mcp__depot__find', 'depot', 'find'],
    ['mcp__plugin_shop_orders__last__order', 'plugin_shop_orders', 'last__order'],
    ['mcp__n8n-mcp__n8n_health_check', 'n8n-mcp', 'n8n_health_check'],
    ['Read', null, 'Read'],
    ['mcp__', null, 'mcp__'],
    ['mcp__a__', null, 'mcp__a__'],
    ['mcp_depot_find', null, 'mcp_depot_find'],
  ])('%s', (name, server, tool) => expect(splitToolName(name)).toEqual({ server, tool }));

  test('a known server decides where to split', () => {
    expect(splitToolName('mcp__a__b__c', ['a', 'a__b'])).toEqual({ server: 'a__b', tool: 'c' });
  });

  test('as people write them', () => {
    expect(splitWrittenToolName('depot/find')).toEqual({ server: 'depot', tool: 'find' });
    expect(splitWrittenToolName('depot.find')).toEqual({ server: 'depot', tool: 'find' });
    expect(splitWrittenToolName('a/b/c')).toEqual({ server: null, tool: 'a/b/c' });
    expect(splitWrittenToolName('mcp__depot__find')).toEqual({ server: 'depot', tool: 'find' });
  });
});

describe('empty results', () => {
  test.each([
    ['[]', true],
    ['{}', true],
    ['null', true],
    ['""', true],
    ['{"count": 0, "truncated": false, "orders": []}', true],
    ['{"total_count": 0}', true],
    ['{"orders": [], "next": {"page": 2}}', false],
    ['{"orders": [], "total": 3}', false],
    ['{"ok": true}', false],
    ['{"amount": 0}', false],
    ['0', false],
    ['{"content": []}', true],
    ['{"content": [{"type": "text", "text": "[]"}]}', true],
    ['{"content": [{"type": "text", "text": "none"}]}', false],
    ['{"content": [{"type": "image", "data": ""}]}', false],
    [
      '{"content": [{"type": "text", "text": "{\\"rows\\": []}"}], "structuredContent": {"rows": [1]}}',
      false,
    ],
  ])('%s', (text, empty) => {
    const parsed = parseJson(text);
    expect(parsed.ok && isEmptyResult(parsed.value, parsed.value.root)).toBe(empty);
  });

  test('text', () => {
    expect([' \n', '[]', 'none', '{"a'].map(isEmptyText)).toEqual([true, true, false, false]);
  });
});

describe('summaries', () => {
  test('show arguments as they are written', () => {
    const parsed = parseJson(
      '{"id": 9007199254740993, "w": 1.0, "a": 1, "a": "x\\ny", "list": [1,\n 2]}',
    );
    expect(parsed.ok && argumentSummary(parsed.value, parsed.value.root)).toBe(
      'id: 9007199254740993, w: 1.0, a: 1, a: "x\\ny", list: [1, 2]',
    );
  });

  test('are one line of at most 240, without half characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
        for (const line of [oneLine(text), firstLine(text)]) {
          expect(line.length).toBeLessThanOrEqual(240);
          expect(line).not.toMatch(/[\r\n\t\u2028]/);
        }
      }),
    );
    expect(oneLine(`${'x'.repeat(238)}😀y`)).toBe(`${'x'.repeat(238)}…`);
  });
});

describe('order of steps', () => {
  const step = (offset: number, fields: Partial<Step> = {}): Step =>
    makeStep({
      id: stepIdAt(offset),
      kind: 'tool',
      name: 'x',
      evidence: 'logged',
      origin: originAt(sourceOfText('').sha256, { offset, length: 1 }),
      ...fields,
    });
  const at = (ns: bigint | null): Partial<Step> => ({
    time: {
      startedAtNs: ns,
      endedAtNs: null,
      startedAtText: null,
      endedAtText: null,
      evidence: 'logged',
    },
  });

  test('file order within a stream, time between streams', () => {
    const main = [step(1, at(10n)), step(2, at(5n)), step(3, at(null)), step(4, at(40n))];
    const other = [step(11, at(20n)), step(12, at(null))];
    expect(orderSteps([main, other]).map(({ id }) => id)).toEqual(
      [1, 2, 3, 11, 12, 4].map((offset) => stepIdAt(offset)),
    );
  });

  test('parents first; unknown parents and cycles are taken off', () => {
    const child = step(1, { ...at(1n), parentId: stepIdAt(2) });
    const parent = step(2, { ...at(9n), parentId: stepIdAt(99) });
    const loop = [step(3, { parentId: stepIdAt(4) }), step(4, { parentId: stepIdAt(3) })];
    const ordered = orderSteps([[child], [parent], loop]);
    expect(ordered.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    const before = new Set<string>();
    for (const each of ordered) {
      expect(each.parentId === null || before.has(each.parentId)).toBe(true);
      before.add(each.id);
    }
    expect(parent.parentId).toBeNull();
    expect(loop.filter(({ parentId }) => parentId === null)).toHaveLength(1);
  });

  test('ids of companions can not meet those of the main source', () => {
    expect(stepIdAt(1295, 2)).toBe('zz-2');
    expect(stepIdAt(1295, 2, 'a/b 1')).toBe('a_b_1.zz-2');
  });
});
