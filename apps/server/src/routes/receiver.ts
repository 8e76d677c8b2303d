import type { Services } from '../compose.ts';
import type { Handlers } from './handler.ts';

type ReceiverRoute = 'getReceiver' | 'makeReceiverToken' | 'removeReceiverToken';

export function receiverHandlers({ receiver }: Services): Pick<Handlers, ReceiverRoute> {
  return {
    getReceiver: () => receiver.state(),
    makeReceiverToken: async () => {
      const made = await receiver.makeToken();
      return { ...made, receiver: await receiver.state() };
    },
    removeReceiverToken: async () => {
      await receiver.removeToken();
      return receiver.state();
    },
  };
}
