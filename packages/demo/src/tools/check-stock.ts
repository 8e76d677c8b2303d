import { setTimeout as delay } from 'node:timers/promises';
import { encodeString } from '@misstep/json';
import { stringArgument } from '../arguments.ts';
import { VARIETIES } from '../orders.ts';
import type { Tool } from '../tool.ts';

let parallelCalls = 0;

/** One in twenty calls that overlap another of its kind fails, as a shared handle would. */
export const checkStock: Tool = {
  definition: {
    name: 'check_stock',
    description: 'Packets in stock of one variety.',
    inputSchema: {
      type: 'object',
      properties: { variety: { type: 'string', description: 'e.g. winter-kale' } },
      required: ['variety'],
    },
    annotations: { readOnlyHint: true },
  },
  call: async (call) => {
    const variety = stringArgument(call.arguments, 'variety') ?? '';
    if (call.atOnce > 1) {
      parallelCalls += 1;
      if (parallelCalls % 20 === 0)
        return { text: 'stock ledger is busy: handle in use', isError: true };
    }
    await delay(180 + VARIETIES.indexOf(variety) * 60, undefined, { signal: call.signal });
    const index = VARIETIES.indexOf(variety);
    if (index < 0) return { text: `Unknown variety ${encodeString(variety)}.`, isError: true };
    return {
      text: `{"variety":${encodeString(variety)},"packets":${(index + 1) * 140},"reserved":${index * 12}}`,
    };
  },
};
