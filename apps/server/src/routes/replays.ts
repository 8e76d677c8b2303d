import type { Services } from '../compose.ts';
import type { Handlers } from './handler.ts';

export function replayHandlers({
  replays,
}: Services): Pick<Handlers, 'startReplay' | 'getReplay' | 'cancelReplay' | 'listReplays'> {
  return {
    startReplay: ({ params, body }) => replays.start({ ...params, ...body }),
    getReplay: ({ params }) => replays.get(params.replayId),
    cancelReplay: ({ params }) => replays.cancel(params.replayId),
    listReplays: ({ query }) => replays.list(query),
  };
}
