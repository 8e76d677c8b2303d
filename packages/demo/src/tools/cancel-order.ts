import { encodeString } from '@misstep/json';
import { stringArgument } from '../arguments.ts';
import { ORDERS } from '../orders.ts';
import type { Tool } from '../tool.ts';

const cancelled = new Set<string>();

/** The destructive one. It touches nothing but this process's memory. */
export const cancelOrder: Tool = {
  definition: {
    name: 'cancel_order',
    description: 'Cancel an order for good. The customer is told at once.',
    inputSchema: {
      type: 'object',
      properties: { ref: { type: 'string' }, reason: { type: 'string' } },
      required: ['ref'],
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  },
  call: async (call) => {
    const ref = stringArgument(call.arguments, 'ref') ?? '';
    if (!ORDERS.some((order) => order.ref === ref)) {
      return { text: `No order has the reference ${encodeString(ref)}.`, isError: true };
    }
    if (cancelled.has(ref)) return { text: `Order ${ref} was cancelled before.`, isError: true };
    cancelled.add(ref);
    return { text: `{"ref":"${ref}","status":"cancelled"}` };
  },
};
