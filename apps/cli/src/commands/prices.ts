import { PriceAmountSchema, PriceSchema } from '@misstep/model';
import type { Services } from '@misstep/server';
import {
  type Command,
  type CommandInput,
  takePositionals,
  textOption,
  UsageError,
} from '../command.ts';
import { formatTable } from '../terminal/table.ts';
import { tell, writeJson, writeWords } from '../terminal/terminal.ts';
import { counted, shorten, visible } from '../terminal/visible.ts';

type Prices = Awaited<ReturnType<Services['prices']['list']>>;

const AMOUNT = 'USD for a million tokens';

export const pricesCommand: Command = {
  name: 'prices',
  summary:
    'List models of runs without a price, then all prices; `prices set` and `reset` change yours.',
  usage: '',
  options: {},
  async run(input) {
    takePositionals(input);
    const prices = await (await input.services()).prices.list();
    show(input, prices);
    return 0;
  },
};

export const pricesSetCommand: Command = {
  name: 'prices set',
  summary: 'Set your own price of a model; it goes before the table.',
  usage: 'MODEL',
  options: {
    input: { type: 'string', value: 'USD', text: `${AMOUNT} of input.` },
    'cache-read': {
      type: 'string',
      value: 'USD',
      text: 'The same for input read from a cache; as other input if not given.',
    },
    'cache-write': {
      type: 'string',
      value: 'USD',
      text: 'The same for input written to a cache; as other input if not given.',
    },
    'cache-write-hour': {
      type: 'string',
      value: 'USD',
      text: 'The same for input kept in a cache for an hour; at least as other cache writes if not given.',
    },
    output: { type: 'string', value: 'USD', text: `${AMOUNT} of output.` },
    'long-input-costs-more': {
      type: 'boolean',
      text: 'Calls with more than 200,000 input tokens cost more: theirs is a lower bound.',
    },
    source: { type: 'string', value: 'TEXT', text: 'Where you know the price from.' },
  },
  async run(input) {
    const { options } = input;
    const [given = ''] = takePositionals(input, 'MODEL');
    const model = PriceSchema.shape.model.safeParse(given);
    if (!model.success) throw new UsageError('MODEL must have 1 to 200 characters.');
    const price = {
      model: model.data,
      input: neededAmount(input, 'input'),
      cacheRead: amount(input, 'cache-read'),
      cacheWrite: amount(input, 'cache-write'),
      cacheWriteHour: amount(input, 'cache-write-hour'),
      output: neededAmount(input, 'output'),
      longInputCostsMore: options['long-input-costs-more'] === true,
      source: (textOption(options, 'source') ?? 'set by you').slice(0, 200),
    };
    const { prices } = await input.services();
    const after = await prices.set(price);
    if (input.json) writeJson(input.terminal, after);
    else
      tell(
        input.terminal,
        `The price of ${visible(shorten(price.model, 80))} is set, in ${visible(after.file)}.`,
      );
    return 0;
  },
};

export const pricesResetCommand: Command = {
  name: 'prices reset',
  summary: 'Take your own price of a model back, or all of yours.',
  usage: '[MODEL]',
  options: { all: { type: 'boolean', text: 'All of yours.' } },
  async run(input) {
    const [model = null] = input.positionals;
    if ((model === null) !== (input.options.all === true)) {
      throw new UsageError('Name one MODEL, or give --all.');
    }
    if (model !== null) takePositionals(input, 'MODEL');
    const after = await (await input.services()).prices.reset(model);
    if (input.json) writeJson(input.terminal, after);
    else tell(input.terminal, 'Done. The table of Misstep holds again.');
    return 0;
  },
};

function show({ terminal, json }: CommandInput, prices: Prices): void {
  if (json) {
    writeJson(terminal, prices);
    return;
  }
  if (prices.problem !== null) {
    tell(terminal, `${visible(prices.problem)} Your prices are left out until it is mended.`);
  }
  if (prices.unpricedModels.length > 0) {
    const rows = prices.unpricedModels.map(({ model, runCount, callCount, tokens }) => [
      shorten(model, 60),
      String(runCount),
      String(callCount),
      String(tokens),
    ]);
    const head = ['NO PRICE FOR', 'RUNS', 'CALLS', 'TOKENS'];
    writeWords(terminal, `${formatTable([head, ...rows], new Set([1, 2, 3]))}\n`);
  }
  const rows = prices.prices
    .filter(({ isReplaced }) => !isReplaced)
    .map((price) => [
      shorten(price.model, 60),
      price.input,
      price.cacheRead ?? '-',
      price.cacheWrite ?? '-',
      `${price.output}${price.longInputCostsMore ? '+' : ''}`,
      price.date,
      shorten(price.source, 60),
    ]);
  const head = ['MODEL', 'INPUT', 'CACHE READ', 'CACHE WRITE', 'OUTPUT', 'SINCE', 'SOURCE'];
  writeWords(terminal, formatTable([head, ...rows], new Set([1, 2, 3, 4])));
  tell(
    terminal,
    `${counted(rows.length, 'price')}: ${AMOUNT}; + = more for calls with over 200,000 input tokens.`,
  );
  tell(
    terminal,
    `The table was last gone through on ${prices.tableDate}; prices age. See docs/prices.md.`,
  );
}

function amount({ options }: CommandInput, name: string): string | null {
  const given = textOption(options, name);
  if (given === null) return null;
  const read = PriceAmountSchema.safeParse(given);
  if (read.success) return read.data;
  throw new UsageError(`--${name} must be an amount as 3 or 0.25, with six decimals at most.`);
}

function neededAmount(input: CommandInput, name: string): string {
  const given = amount(input, name);
  if (given === null) throw new UsageError(`--${name} is missing.`);
  return given;
}
