import { describe, expect, test } from 'vitest';
import { segmentsHeld } from '../src/index.ts';

describe('how much of a pointer a text holds', () => {
  test.each([
    ['{"orders":[]}', '/orders/0', 1],
    ['{"orders":[7]}', '/orders/0', 2],
    ['{"orders":[7]}', '', 0],
    ['plain words', '/orders', 0],
    ['{"text":"{\\"a\\":{\\"b\\":1}}"}', '/text/a/b', 3],
    ['{"text":"words"}', '/text/a', 1],
    ['{"a":1,"a":2}', '/a~#0', 1],
    ['{"orders":[1,2', '/orders/1', 2],
    ['{"a/b":1}', '/a~1b', 1],
    ['{"a":1}', 'a', null],
    ['{"a":1}', '/a~2', null],
  ])('%s at %s', (text, pointer, held) => {
    expect(segmentsHeld(text, pointer)).toBe(held);
  });
});
