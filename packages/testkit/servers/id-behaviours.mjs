// Answers under an id that is not the call's, and answers to what has none.
import { textAnswer } from './server-core.mjs';

export const ID_BEHAVIOURS = {
  'null-id': (_idText, _request, peer) => peer.send(textAnswer('null', 'for whom it may concern')),
  'absent-id': (_idText, _request, peer) =>
    peer.send('{"jsonrpc":"2.0","result":{"content":[{"type":"text","text":"for all"}]}}'),
  'large-id': (_idText, _request, peer) =>
    peer.send(textAnswer('9007199254740993', 'for somebody else')),
};
