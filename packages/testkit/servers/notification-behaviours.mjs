// What a server makes of the client's notifications, which nobody may answer.

/** The call that is waiting, where its behaviour has something to say of its cancelling. */
let waiting = null;

export const NOTIFICATION_CALLS = {
  'progress-after-cancel': (_idText, request, peer) => {
    waiting = { request, peer };
  },
};

const HEARD = {
  'answers-notification': ({ method }) =>
    method === 'notifications/initialized' ? '{"jsonrpc":"2.0","id":null,"result":{}}' : null,
  'refuses-notification': ({ method }) =>
    method === 'notifications/initialized'
      ? '{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no such method"}}'
      : null,
  'progress-after-cancel': ({ method }) => {
    if (method !== 'notifications/cancelled' || waiting === null) return null;
    const token = JSON.stringify(JSON.parse(waiting.request).params._meta?.progressToken ?? 'p');
    waiting.peer.send(
      `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":2,"total":3}}`,
    );
    return null;
  },
};

/** The text that a server answers a notification with; null = it keeps still, as it should. */
export function notificationAnswer(message, behaviour) {
  return HEARD[behaviour]?.(message) ?? null;
}
