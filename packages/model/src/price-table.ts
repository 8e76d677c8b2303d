import { readUsd, usdText } from './money.ts';
import type { Price, PriceRow } from './price.ts';

/** The day on which the rows below were last gone through. */
export const PRICE_TABLE_DATE = '2026-01-15';

type Amounts = readonly [
  input: string,
  cacheRead: string | null,
  cacheWrite: string | null,
  output: string,
];

const ANTHROPIC = 'public price list of Anthropic';
const OPENAI = 'public price list of OpenAI, standard tier';
const GOOGLE = 'public price list of Google for the Gemini API, standard tier, text';

/** Ids that share their amounts, from when these are known to hold, and whether long input costs more. */
const GROUPS: readonly {
  readonly source: string;
  readonly date: string;
  readonly models: readonly string[];
  readonly amounts: Amounts;
  readonly longInputCostsMore: boolean;
}[] = [
  group(ANTHROPIC, '2025-11-24', '5 0.5 6.25 25', 'claude-opus-4-5 claude-opus-4.5'),
  group(
    ANTHROPIC,
    '2025-08-05',
    '15 1.5 18.75 75',
    'claude-opus-4-1 claude-opus-4.1 claude-opus-4 claude-opus-4-0 claude-3-opus',
  ),
  group(
    ANTHROPIC,
    '2025-09-29',
    '3 0.3 3.75 15',
    'claude-sonnet-4-5 claude-sonnet-4.5 claude-sonnet-4 claude-sonnet-4-0',
    true,
  ),
  group(
    ANTHROPIC,
    '2025-02-24',
    '3 0.3 3.75 15',
    'claude-3-7-sonnet claude-3.7-sonnet claude-3.7-sonnet-thought claude-3-5-sonnet claude-3.5-sonnet',
  ),
  group(ANTHROPIC, '2025-10-15', '1 0.1 1.25 5', 'claude-haiku-4-5 claude-haiku-4.5'),
  group(ANTHROPIC, '2024-12-03', '0.8 0.08 1 4', 'claude-3-5-haiku claude-3.5-haiku'),
  group(ANTHROPIC, '2024-08-14', '0.25 0.03 0.3 1.25', 'claude-3-haiku'),
  group(ANTHROPIC, '2024-03-04', '3 - - 15', 'claude-3-sonnet'),
  group(OPENAI, '2025-12-11', '1.75 0.175 - 14', 'gpt-5.2'),
  group(
    OPENAI,
    '2025-11-13',
    '1.25 0.125 - 10',
    'gpt-5 gpt-5-codex gpt-5-chat gpt-5.1 gpt-5.1-codex gpt-5.1-chat',
  ),
  group(OPENAI, '2025-11-13', '0.25 0.025 - 2', 'gpt-5-mini gpt-5.1-codex-mini'),
  group(OPENAI, '2025-08-07', '0.05 0.005 - 0.4', 'gpt-5-nano'),
  group(OPENAI, '2025-10-06', '15 - - 120', 'gpt-5-pro'),
  group(OPENAI, '2025-04-14', '2 0.5 - 8', 'gpt-4.1'),
  group(OPENAI, '2025-04-14', '0.4 0.1 - 1.6', 'gpt-4.1-mini'),
  group(OPENAI, '2025-04-14', '0.1 0.025 - 0.4', 'gpt-4.1-nano'),
  group(OPENAI, '2024-10-01', '2.5 1.25 - 10', 'gpt-4o'),
  group(OPENAI, '2024-05-13', '5 - - 15', 'gpt-4o-2024-05-13'),
  group(OPENAI, '2024-10-01', '0.15 0.075 - 0.6', 'gpt-4o-mini'),
  group(OPENAI, '2025-06-10', '2 0.5 - 8', 'o3'),
  group(OPENAI, '2025-06-10', '20 - - 80', 'o3-pro'),
  group(OPENAI, '2025-04-16', '1.1 0.275 - 4.4', 'o4-mini'),
  group(OPENAI, '2025-01-31', '1.1 0.55 - 4.4', 'o3-mini o1-mini'),
  group(OPENAI, '2024-12-17', '15 7.5 - 60', 'o1'),
  group(OPENAI, '2024-04-09', '10 - - 30', 'gpt-4-turbo'),
  group(OPENAI, '2023-06-13', '30 - - 60', 'gpt-4 gpt-4-0613'),
  group(OPENAI, '2024-01-25', '0.5 - - 1.5', 'gpt-3.5-turbo gpt-3.5-turbo-0125'),
  group(GOOGLE, '2025-11-18', '2 0.2 - 12', 'gemini-3-pro-preview', true),
  group(GOOGLE, '2025-06-17', '1.25 0.125 - 10', 'gemini-2.5-pro', true),
  group(GOOGLE, '2025-06-17', '0.3 0.03 - 2.5', 'gemini-2.5-flash'),
  group(GOOGLE, '2025-07-22', '0.1 0.01 - 0.4', 'gemini-2.5-flash-lite'),
  group(GOOGLE, '2025-02-05', '0.1 0.025 - 0.4', 'gemini-2.0-flash gemini-2.0-flash-001'),
];

function group(
  source: string,
  date: string,
  amounts: string,
  models: string,
  longInputCostsMore = false,
) {
  const [input = '', cacheRead = '', cacheWrite = '', output = ''] = amounts.split(' ');
  const orNull = (amount: string) => (amount === '-' ? null : amount);
  return {
    source,
    date,
    models: models.split(' '),
    amounts: [input, orNull(cacheRead), orNull(cacheWrite), output] as const,
    longInputCostsMore,
  };
}

function twice(amount: string): string {
  return usdText(2n * (readUsd(amount) ?? 0n));
}

/** The rows that come with Misstep, one a model id. Prices age: each has its day, and people set their own. */
export const PRICE_TABLE: readonly PriceRow[] = GROUPS.flatMap(
  ({ source, date, models, amounts: [input, cacheRead, cacheWrite, output], longInputCostsMore }) =>
    models.map((model) => {
      const price: Price = {
        model,
        input,
        cacheRead,
        cacheWrite,
        // Anthropic charges twice the price of input for what is kept for an hour.
        ...(source === ANTHROPIC && cacheWrite !== null ? { cacheWriteHour: twice(input) } : {}),
        output,
        longInputCostsMore,
        date,
        source,
      };
      return { ...price, origin: 'builtIn' as const };
    }),
);
