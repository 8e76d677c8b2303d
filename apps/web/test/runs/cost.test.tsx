// @vitest-environment happy-dom
import { cleanup, fireEvent, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { costSentences, costText, stepCostWords } from '../../src/features/prices/cost-words.ts';
import { formatUsd } from '../../src/ui/format-cost.ts';
import { exampleRun, NO_COST } from './example-runs.ts';

let app: typeof import('../shell/app.tsx');
beforeAll(async () => {
  vi.stubGlobal('fetch', (...args: Parameters<typeof fetch>) => app.fakeFetch(...args));
  app = await import('../shell/app.tsx');
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it.each([
  ['0', '$0'],
  ['0.00003', '<$0.0001'],
  ['0.004995', '$0.0050'],
  ['0.61', '$0.61'],
  ['12.4', '$12.40'],
  ['12345.6', '$12,346'],
])('%s USD reads as %s', (usd, words) => {
  expect(formatUsd(usd)).toBe(words);
});

describe('words of a cost', () => {
  it('never say 0 for what is not known', () => {
    expect(costText(NO_COST)).toBeNull();
    expect(costSentences(NO_COST)).toEqual(['The cost of 2 model calls is not known.']);
  });

  it('say where an amount is from, of how many calls, and what differs', () => {
    const cost = {
      ...NO_COST,
      usd: '0.61',
      evidence: 'mixed' as const,
      atLeast: true,
      callCount: 5,
      costedCallCount: 3,
      recordedUsd: '0.5',
      recordedCallCount: 1,
      derivedUsd: '0.7',
      derivedCallCount: 3,
      differs: true,
      unpricedModels: ['house-model', null],
    };
    expect(costText(cost)).toBe('≥$0.61');
    expect(costSentences(cost)).toEqual([
      'At least $0.61, partly recorded, partly derived from tokens and prices.',
      'Known of 3 of 5 model calls.',
      'Tokens and prices give $0.7 for 3 of them, which differs by more than 1 %.',
      'No price for house-model, calls that name no model.',
    ]);
  });

  it('of a call give the recorded amount as written', () => {
    const cost = {
      recordedUsd: '3.00',
      derivedUsd: null,
      atLeast: false,
      price: null,
      missing: 'price' as const,
      differs: false,
    };
    expect(stepCostWords(cost)).toEqual({
      recorded: '$3.00',
      derived: 'not known: its model has no price',
    });
  });
});

const PRICE = {
  model: 'gpt-4o',
  input: '2.5',
  cacheRead: '1.25',
  cacheWrite: null,
  output: '10',
  longInputCostsMore: false,
  date: '2024-10-01',
  source: 'a list',
  origin: 'builtIn',
  isReplaced: false,
};
const PRICES = {
  prices: [PRICE],
  tableDate: '2026-01-15',
  file: '/data/prices.json',
  problem: null,
  unpricedModels: [{ model: 'house-model', runCount: 2, callCount: 3, tokens: 4000 }],
};

describe('the prices screen', () => {
  it('shows models without a price first and sets one, exact or not at all', async () => {
    const view = app.showApp('/prices', {
      'GET /api/prices': PRICES,
      'PUT /api/prices': { ...PRICES, unpricedModels: [] },
      'GET /api/runs': { total: 1, runs: [exampleRun(1, { title: 'One' })] },
    });
    fireEvent.click(
      await view.findByRole(
        'button',
        { name: 'Set the price of house-model' },
        // The screen is read when it is opened first.
        { timeout: 20_000 },
      ),
    );
    const form = within(
      view.getByRole('textbox', { name: 'Model' }).closest('form') as HTMLElement,
    );
    expect(form.getByRole('textbox', { name: 'Model' })).toHaveProperty('value', 'house-model');
    const type = (name: string, value: string) =>
      fireEvent.change(form.getByRole('textbox', { name }), { target: { value } });
    type('Input', '0,5');
    type('Output', '1.25');
    fireEvent.click(form.getByRole('button', { name: 'Set price' }));
    expect(form.getByRole('alert').textContent).toContain('Write it as 3 or 0.25');
    expect(app.asked.filter(({ call }) => call === 'PUT /api/prices')).toEqual([]);
    type('Input', '0.5');
    fireEvent.click(form.getByRole('button', { name: 'Set price' }));
    await waitFor(() =>
      expect(view.queryByRole('button', { name: 'Set the price of house-model' })).toBeNull(),
    );
    expect(app.asked.find(({ call }) => call === 'PUT /api/prices')?.body).toEqual({
      model: 'house-model',
      input: '0.5',
      cacheRead: null,
      cacheWrite: null,
      output: '1.25',
      longInputCostsMore: false,
      source: 'set by you',
    });
  });

  it('says that a damaged file is left out', async () => {
    const view = app.showApp('/prices', {
      'GET /api/prices': { ...PRICES, problem: '/data/prices.json is no JSON.' },
      'GET /api/runs': { total: 0, runs: [] },
    });
    expect((await view.findByRole('alert', {}, { timeout: 20_000 })).textContent).toContain(
      'is no JSON',
    );
  });
});
