import { encodeString } from '@misstep/json';
import { stringArgument } from '../arguments.ts';
import { ORDERS } from '../orders.ts';
import type { Tool } from '../tool.ts';

/** Answers with an id above 2^53, a `1.0` and a duplicate key: what lossy clients change. */
export const getOrder: Tool = {
  definition: {
    name: 'get_order',
    description: 'One order by its reference, e.g. FS-20417.',
    inputSchema: {
      type: 'object',
      properties: { ref: { type: 'string' } },
      required: ['ref'],
    },
    annotations: { readOnlyHint: true },
  },
  call: async (call) => {
    const ref = stringArgument(call.arguments, 'ref');
    const order = ORDERS.find((candidate) => candidate.ref === ref);
    if (order === undefined) {
      return { text: `No order has the reference ${encodeString(ref ?? '')}.`, isError: true };
    }
    const structured = `{"id":${order.id},"ref":"${order.ref}","customer":${encodeString(order.customer)},"placed_on":"${order.placedOn}","status":"${order.status}","weight_kg":${order.weightKg},"note":"leave with the neighbour","note":"ring twice"}`;
    return { text: structured, structured };
  },
};
