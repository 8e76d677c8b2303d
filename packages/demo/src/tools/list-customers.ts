import { encodeString } from '@misstep/json';
import { CUSTOMERS } from '../orders.ts';
import type { Tool } from '../tool.ts';

export const listCustomers: Tool = {
  definition: {
    name: 'list_customers',
    description: 'Names of all customers.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
  },
  call: async () => ({ text: `{"customers":[${CUSTOMERS.map(encodeString).join(',')}]}` }),
};
