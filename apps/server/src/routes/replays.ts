import type { Services } from '../compose.ts';
import type { Handlers } from './handler.ts';

export function replayHandlers({
  replays,
}: Services): Pick<
  Handlers,
  'startReplay' | 'getReplay' | 'cancelReplay' | 'answerAsk' | 'listReplays'
> {
  return {
    startReplay: ({ params, body }) => replays.start({ ...params, ...body, experimentId: null }),
    getReplay: ({ params }) => replays.get(params.replayId),
    cancelReplay: ({ params }) => replays.cancel(params.replayId),
    answerAsk: ({ params, body }) => replays.answerAsk(params.replayId, params.ordinal, body),
    listReplays: ({ query }) => replays.list(query),
  };
}
