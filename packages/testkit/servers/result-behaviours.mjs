// Results that are no good to who reads them: other than the tool declares, no JSON, too large, or
// another one each time.
import { textAnswer } from './server-core.mjs';

const MEGABYTE = 1_000_000;
const PYTHON_REPR =
  "{'shelf': 'A-7', 'counted': datetime.datetime(2026, 11, 17, 9, 30), 'mean': nan, 'keeper': None}";

function structured(idText, text, structuredText) {
  return textAnswer(idText, text, `,"structuredContent":${structuredText}`);
}

/** About `megabytes` of text, said in its first words, so that a cut one can be told. */
function largeAnswer(idText, megabytes) {
  return textAnswer(idText, `${megabytes} MB of boxes: ${'x'.repeat(megabytes * MEGABYTE)}`);
}

export const RESULT_BEHAVIOURS = {
  'structured-missing': (id, _request, peer) => peer.send(textAnswer(id, '{"count":3}')),
  'structured-different': (id, _request, peer) =>
    peer.send(structured(id, '{"count":"three"}', '{"count":"three"}')),
  // Each client shows one of the two, so two people see two answers.
  'structured-beside-text': (id, _request, peer) =>
    peer.send(structured(id, '{"count":4}', '{"count":3}')),
  'datetime-repr': (id, _request, peer) => peer.send(textAnswer(id, PYTHON_REPR)),
  'answer-10-mb': (id, _request, peer) => peer.send(largeAnswer(id, 10)),
  'answer-100-mb': (id, _request, peer) => peer.send(largeAnswer(id, 100)),
  'nan-in-text': (id, _request, peer) => peer.send(textAnswer(id, '{"count":3,"mean":NaN}')),
  timestamped: (id, _request, peer) =>
    peer.send(textAnswer(id, `{"count":3,"asked_at":"${process.hrtime.bigint()}"}`)),
};
