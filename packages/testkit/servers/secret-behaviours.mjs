// Errors that repeat what a client must keep to itself. On stdio the key is SHELF_KEY; it counts as
// expired where SHELF_KEY_EXPIRED is set, for the server or for the person who starts it.
import { echoAnswer } from './server-core.mjs';

/** What is wrong with a key that is no longer good, in words that repeat it; null = it is good. */
export function expiredWords(key) {
  if (process.env.SHELF_KEY_EXPIRED === undefined) return null;
  return `The key ${key} has expired: ask for another`;
}

export const SECRET_BEHAVIOURS = {
  'expired-token': (idText, request, peer) => {
    const words = expiredWords(process.env.SHELF_KEY);
    if (words === null) return peer.send(echoAnswer(idText, request));
    process.stderr.write(`${words}\n`);
    peer.send(`{"jsonrpc":"2.0","id":${idText},"error":{"code":-32001,"message":"${words}"}}`);
  },
};
