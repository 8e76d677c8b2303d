import { parentPort, workerData } from 'node:worker_threads';
import { Database } from './database.ts';
import { describeFailure } from './failure.ts';
import { HANDLERS } from './handlers.ts';
import type { Request, Response, WorkerSetup } from './protocol.ts';

// The worker's entry: the only thread in which SQLite runs. Started by worker-client.ts alone,
// with a WorkerSetup as its data.
const port = parentPort;
if (port === null) throw new Error('This module is the entry of a worker thread.');
const { dataFolder } = workerData as WorkerSetup;

/** Names come from the client's types; a Map keeps any other from reaching a prototype. */
const handlers = new Map<string, (...args: readonly unknown[]) => unknown>(
  // Arguments were checked against the handler's own types where the request was made.
  Object.entries(HANDLERS) as [string, (...args: readonly unknown[]) => unknown][],
);

function answer(id: number, work: () => unknown): void {
  let response: Response;
  try {
    response = { id, ok: true, value: work() };
  } catch (error) {
    response = { id, ok: false, failure: describeFailure(error, dataFolder) };
  }
  port?.postMessage(response);
}

answer(0, () => {
  const database = new Database(dataFolder);
  port.on('message', (request: Request) => {
    answer(request.id, () => {
      const handler = handlers.get(request.name);
      if (handler === undefined) throw new Error(`There is no handler ${request.name}.`);
      return handler(database, ...request.args);
    });
  });
});
