import { PriceAmountSchema, PriceRowSchema, PriceSchema } from '@misstep/model';
import { z } from 'zod';
import { defineRoute } from '../route.ts';
import { EmptySchema, NoneSchema } from '../shapes.ts';

const PricesSchema = z.object({
  /** The person's rows first, then the table's; of two for a model the person's holds. */
  prices: z.array(
    PriceRowSchema.extend({
      /** True where a row of the person's holds in its place. */
      isReplaced: z.boolean(),
    }),
  ),
  /** Day on which the table that comes with Misstep was last gone through. */
  tableDate: z.string(),
  /** The person's own rows, which may be edited by hand. */
  file: z.string(),
  /** Why that file can't be used; null = it can. */
  problem: z.string().nullable(),
  /** Models that runs name and no price is known of, those with the most tokens first. */
  unpricedModels: z.array(
    z.object({
      model: z.string(),
      runCount: z.number().int(),
      callCount: z.number().int(),
      /** Input, cached or not, and output together. */
      tokens: z.number().int(),
    }),
  ),
});
export type Prices = z.infer<typeof PricesSchema>;

export const listPrices = defineRoute({
  method: 'GET',
  path: '/api/prices',
  summary: 'What a million tokens cost by model, and the models of runs without a price.',
  params: EmptySchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: PricesSchema,
  errors: [],
});

export const putPrice = defineRoute({
  method: 'PUT',
  path: '/api/prices',
  summary:
    'Set your own price of a model. It goes before the table and replaces an earlier one of yours.',
  params: EmptySchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: z.strictObject({
    model: PriceSchema.shape.model,
    input: PriceAmountSchema,
    /** Left out or null = charged as other input. */
    cacheRead: PriceAmountSchema.nullable().default(null),
    cacheWrite: PriceAmountSchema.nullable().default(null),
    /** Left out or null = at least as other cache writes. */
    cacheWriteHour: PriceAmountSchema.nullable().optional(),
    output: PriceAmountSchema,
    /** Calls with more than 200,000 input tokens cost more: their amount is a lower bound then. */
    longInputCostsMore: z.boolean().default(false),
    source: z.string().max(200).default('set by you'),
  }),
  responseKind: 'json',
  response: PricesSchema,
  errors: ['PRICES_UNREADABLE', 'DISK_FULL'],
});

export const deletePrice = defineRoute({
  method: 'DELETE',
  path: '/api/prices',
  summary: 'Take your own price of a model back, or all of yours; the table holds again.',
  params: EmptySchema,
  /** Without a model: all. */
  query: z.object({ model: z.string().max(200).optional() }),
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: PricesSchema,
  errors: ['PRICE_NOT_FOUND', 'PRICES_UNREADABLE', 'DISK_FULL'],
});
