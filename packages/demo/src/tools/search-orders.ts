import { setTimeout as delay } from 'node:timers/promises';
import { numberArgument, stringArgument } from '../arguments.ts';
import { ORDERS, type Order } from '../orders.ts';
import type { Tool } from '../tool.ts';

/** Nobody who reads the schema learns of it: more is never sent, and only `truncated` says so. */
const CEILING = 20;

/** The books are on paper, so to speak: a search takes as long as a database on a slow disk. */
const SEARCH_MS = 240;
const ROW_MS = 14;

/**
 * Three honest interface faults in one tool: `placed_after` is a bare string and what can't be
 * parsed as a date quietly matches nothing; `customer` must match letter for letter; `limit` has
 * a ceiling that shows only in the flag.
 */
export const searchOrders: Tool = {
  definition: {
    name: 'search_orders',
    description: 'Find orders of a customer.',
    inputSchema: {
      type: 'object',
      properties: {
        customer: { type: 'string', description: 'Customer name' },
        placed_after: { type: 'string', description: 'Only orders placed after this' },
        status: { type: 'string', description: 'Order status' },
        limit: { type: 'number', description: 'How many orders to return' },
      },
      required: ['customer'],
    },
    annotations: { readOnlyHint: true },
  },
  call: async (call) => {
    const customer = stringArgument(call.arguments, 'customer');
    const status = stringArgument(call.arguments, 'status');
    const after = stringArgument(call.arguments, 'placed_after');
    const limit = Math.min(numberArgument(call.arguments, 'limit') ?? CEILING, CEILING);
    const found = ORDERS.filter(
      (order) =>
        order.customer === customer &&
        (status === undefined || order.status === status) &&
        (after === undefined || Date.parse(order.placedOn) > Date.parse(after)),
    );
    const shown = found.slice(0, Math.max(0, limit));
    await delay(SEARCH_MS + shown.length * ROW_MS, undefined, { signal: call.signal });
    const rows = shown.map(printRow).join(',');
    const text = `{"count":${shown.length},"truncated":${found.length > shown.length},"orders":[${rows}]}`;
    return { text };
  },
};

function printRow(order: Order): string {
  return `{"ref":"${order.ref}","placed_on":"${order.placedOn}","status":"${order.status}","lines":${order.lines}}`;
}
