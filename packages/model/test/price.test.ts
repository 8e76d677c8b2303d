import { expect, it } from 'vitest';
import { PRICE_TABLE, PriceFinder, type PriceRow, PriceRowSchema } from '../src/index.ts';

function row(model: string, input: string, origin: PriceRow['origin'] = 'yours'): PriceRow {
  return PriceRowSchema.parse({
    model,
    input,
    cacheRead: null,
    cacheWrite: null,
    output: '1',
    longInputCostsMore: false,
    date: '2026-01-01',
    source: 'a test',
    origin,
  });
}

const table = new PriceFinder(PRICE_TABLE);

it('every row of the table is a price, and every model is there once', () => {
  expect(PRICE_TABLE.length).toBeGreaterThan(40);
  for (const each of PRICE_TABLE) expect(PriceRowSchema.parse(each)).toEqual(each);
  expect(new Set(PRICE_TABLE.map(({ model }) => model)).size).toBe(PRICE_TABLE.length);
});

it.each([
  ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
  ['claude-opus-4-1@20250805', 'claude-opus-4-1'],
  ['anthropic/claude-haiku-4.5', 'claude-haiku-4.5'],
  ['claude-3-5-sonnet-latest', 'claude-3-5-sonnet'],
  ['models/gemini-2.5-flash', 'gemini-2.5-flash'],
  ['copilot/gpt-4.1', 'gpt-4.1'],
  ['GPT-4o-2024-08-06', 'gpt-4o'],
  ['gpt-4o-2024-05-13', 'gpt-4o-2024-05-13'],
])('%s has the price of %s', (recorded, model) => {
  expect(table.find(recorded)?.model).toBe(model);
});

it.each([
  'gpt-4o-audio-preview',
  'claude-sonnet-4-5-fine-tuned',
  'my-gpt-4o',
  '<synthetic>',
  '',
  'toString',
  '__proto__',
])('%j has no price: nothing is guessed from a part of a name', (model) => {
  expect(table.find(model)).toBeNull();
});

it('a price of the person goes before the table, a longer pattern before a shorter one', () => {
  const own = [row('*', '1'), row('house-*', '2'), row('*e-large', '4'), row('house-tiny', '3')];
  const finder = new PriceFinder([...PRICE_TABLE, ...own]);
  expect(finder.find('gpt-4o')).toMatchObject({ input: '1', origin: 'yours' });
  expect(finder.find('house-big')?.input).toBe('2');
  expect(finder.find('house-tiny')?.input).toBe('3');
  expect(finder.find('depot/HOUSE-TINY')?.input).toBe('3');
  expect(finder.find('house-large')?.input).toBe('4');
});

it('a pattern matches in order and never twice over the same characters', () => {
  const finder = new PriceFinder([row('ab*ba', '2'), row('x*y*z', '3')]);
  expect(finder.find('aba')).toBeNull();
  expect(finder.find('abba')?.input).toBe('2');
  expect(finder.find('x-y-z')?.input).toBe('3');
  expect(finder.find('x-z-y')).toBeNull();
});
