import { encodeString, member } from '@misstep/json';
import { stringArgument } from '../arguments.ts';
import { ORDERS } from '../orders.ts';
import type { Tool } from '../tool.ts';

const cancelled = new Set<string>();

const CONFIRMATION = {
  type: 'object',
  properties: {
    confirm: { type: 'boolean', title: 'Cancel it for good' },
    tell: {
      type: 'string',
      title: 'Tell the customer',
      enum: ['by letter', 'by telephone', 'not yet'],
      default: 'by letter',
    },
    note: { type: 'string', title: 'Note for the books', maxLength: 200 },
  },
  required: ['confirm'],
};

/**
 * The destructive one. It touches nothing but this process's memory. Where the client can put a
 * question to its person it asks first; where it can't, the call itself has to do.
 */
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
    const order = ORDERS.find((each) => each.ref === ref);
    if (order === undefined) {
      return { text: `No order has the reference ${encodeString(ref)}.`, isError: true };
    }
    if (cancelled.has(ref)) return { text: `Order ${ref} was cancelled before.`, isError: true };
    if (call.elicit !== undefined) {
      const question = `Cancel order ${ref} of ${order.customer}, placed on ${order.placedOn}?`;
      const answer = await call.elicit(question, CONFIRMATION);
      const content = answer?.action === 'accept' ? answer.content : null;
      const confirm = content === null ? undefined : member(content, content.root, 'confirm');
      if (confirm?.kind !== 'literal' || confirm.value !== true) {
        return { text: `Order ${ref} stays: nobody confirmed.`, isError: true };
      }
    }
    cancelled.add(ref);
    return { text: `{"ref":"${ref}","status":"cancelled"}` };
  },
};
