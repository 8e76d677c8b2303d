import { parentPort } from 'node:worker_threads';
import type { HeavyMessage, HeavyRequest } from './heavy-message.ts';
import { heavyTasks } from './heavy-tasks.ts';

// No data may reach the prototype of all objects, not even through a fault in a dependency.
Reflect.deleteProperty(Object.prototype, '__proto__');

// The one who starts this thread sends a task with its own input, and one at a time.
parentPort?.on('message', async ({ task, input }: HeavyRequest) => {
  let message: HeavyMessage;
  try {
    const result: unknown = await heavyTasks[task](input as never);
    message = { kind: 'done', result, length: lengthOf(result) };
  } catch (error) {
    const known = error instanceof Error;
    message = {
      kind: 'failed',
      name: known ? error.name : typeof error,
      stack: known ? (error.stack ?? '') : '',
    };
  }
  parentPort?.postMessage(message);
});

/** Of all texts and bytes in it; what else there is comes with a text mostly. */
function lengthOf(result: unknown): number {
  const open = [result];
  let length = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (typeof at === 'string' || at instanceof Uint8Array) length += at.length;
    else if (typeof at === 'object' && at !== null) {
      length += 16;
      for (const each of Object.values(at)) if (each !== undefined) open.push(each);
    }
  }
  return length;
}
