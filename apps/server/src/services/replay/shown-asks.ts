import type { Replay, ServerAsk } from '@misstep/model';
import { cutText } from '../cut-text.ts';

/** Of the params of all asks together; past it each keeps a beginning. */
const MAX_ALL_BYTES = 2_097_152;
const MIN_TEXT_BYTES = 256;

/** Asks as far as a page can show them; what is left out of their params is counted in each. */
export function shownAsks(
  asks: readonly ServerAsk[],
  omittedCount: number,
): Pick<Replay, 'asks' | 'asksOmitted'> {
  let bytesLeft = MAX_ALL_BYTES;
  const shown = asks.map((ask) => {
    if (ask.paramsText === null) return ask;
    const room = Math.max(MIN_TEXT_BYTES, bytesLeft);
    const { text, sizeBytes, omittedBytes } = cutText(ask.paramsText, room);
    bytesLeft -= sizeBytes - omittedBytes;
    if (omittedBytes === 0) return ask;
    const paramsOmittedBytes = ask.paramsOmittedBytes + omittedBytes;
    return { ...ask, paramsText: text, paramsOmittedBytes };
  });
  return omittedCount === 0 ? { asks: shown } : { asks: shown, asksOmitted: omittedCount };
}
