import { setTimeout as delay } from 'node:timers/promises';
import { VARIETIES } from '../orders.ts';
import type { Tool } from '../tool.ts';

const STAGES = 4;
const STAGE_MS = 600;

/** Takes its time and says how far it is. */
export const seasonForecast: Tool = {
  definition: {
    name: 'season_forecast',
    description: 'Expected sales of every variety. Slow: about two and a half seconds.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
  },
  call: async (call) => {
    for (let stage = 1; stage <= STAGES; stage += 1) {
      await delay(STAGE_MS, undefined, { signal: call.signal });
      call.progress(stage, STAGES);
    }
    const rows = VARIETIES.map(
      (variety, index) => `{"variety":"${variety}","expected":${(index + 3) * 210}}`,
    );
    return { text: `{"season":"spring 2027","forecast":[${rows.join(',')}]}` };
  },
};
