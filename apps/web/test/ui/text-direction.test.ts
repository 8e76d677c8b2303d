import { expect, it } from 'vitest';
import { directionOf } from '../../src/ui/text-direction.ts';

it('a line goes as its first letter does, whatever marker stands before it', () => {
  expect(directionOf('ابحث عن الصندوق')).toBe('rtl');
  expect(directionOf('[U+200F]ابحث عن الصندوق')).toBe('rtl');
  expect(directionOf('12: שלום')).toBe('rtl');
  expect(directionOf('Find ابحث')).toBeUndefined();
  expect(directionOf('{"مفتاح":1}')).toBe('rtl');
  expect(directionOf('')).toBeUndefined();
  expect(directionOf('[U+200F]')).toBeUndefined();
});
