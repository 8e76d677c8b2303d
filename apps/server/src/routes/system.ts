import type { Services } from '../compose.ts';
import type { Handlers } from './handler.ts';

export function systemHandlers(services: Services): Pick<Handlers, 'getStatus'> {
  return {
    async getStatus() {
      const { store, version, author, demo } = services;
      const { runCount, sourceBytes } = await store.stats();
      return {
        version,
        dataFolder: store.dataFolder,
        runCount,
        sourceBytes,
        author,
        demoRunId: await demo.firstRunId(),
      };
    },
  };
}
