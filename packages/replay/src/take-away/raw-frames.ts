import { framesOf } from './opening-frames.ts';
import type { CheckedCall, TakeAway } from './take-away.ts';

/** The messages as they go out: a line each for stdio, and so for whoever feeds them by hand. */
export function rawFrames(call: CheckedCall): TakeAway {
  const { initialize, initialized, call: frame } = framesOf(call);
  const isOneLine = !/[\r\n]/.test(frame);
  return {
    fileName: 'frames.jsonl',
    text: `${[initialize, initialized, frame].join('\n')}\n`,
    notes: isOneLine
      ? call.notes
      : [...call.notes, 'The third message has line breaks in it, as an HTTP body may.'],
  };
}
