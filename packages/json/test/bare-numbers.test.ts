import { expect, test } from 'vitest';
import {
  nodeText,
  parseJson,
  parseLooseJson,
  parseLooseJsonBytes,
  printJson,
} from '../src/index.ts';

test('a loose reading lets NaN and Infinity through and says where', () => {
  const text = '{"a": NaN, "b": [-Infinity, Infinity], "c": 1.0}';
  expect(parseJson(text).ok).toBe(false);
  const parsed = parseLooseJson(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  expect(parsed.value.bareNumbers).toEqual([6, 17, 28]);
  expect(printJson(parsed.value)).toBe(text.replaceAll(' ', ''));
  const bytes = parseLooseJsonBytes(new TextEncoder().encode(text));
  expect(bytes.ok && bytes.value.bareNumbers).toEqual([6, 17, 28]);
});

test('a text without them says nothing of them', () => {
  const parsed = parseLooseJson('["NaN", -1]');
  expect(parsed.ok && parsed.value).toEqual({
    text: '["NaN", -1]',
    root: expect.objectContaining({ kind: 'array' }),
  });
  const whole = parseLooseJson('NaN');
  expect(whole.ok && nodeText(whole.value, whole.value.root)).toBe('NaN');
});

test.each(['nan', 'NaNs', 'Infinit', '-NaN', '+Infinity', '--Infinity', '[NaN', 'NaN 1'])(
  '%s is none, strictly or loosely',
  (text) => {
    expect(parseLooseJson(text).ok).toBe(false);
  },
);
