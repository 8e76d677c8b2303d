import type { Replay, ReplayEvent, ReplayFrame } from '@misstep/model';

/** Of each end, so that the handshake and the answer are both among them. */
const MAX_RECORDS_EACH_END = 1000;
const MAX_TEXT_LENGTH = 8_388_608;

/**
 * Frames and events as far as a page can show them. A server may send millions: the frame log
 * has them all, and an event says how many are left out here.
 */
export function shownRecords(
  frames: readonly ReplayFrame[],
  events: readonly ReplayEvent[],
): Pick<Replay, 'frames' | 'events'> {
  const shownFrames = bothEnds(frames);
  const shownEvents = bothEnds(events);
  let textLeft = MAX_TEXT_LENGTH;
  const cut = shownFrames.map((frame) => {
    textLeft -= frame.text.length;
    if (textLeft >= 0) return frame;
    return { ...frame, text: '', textOmittedBytes: frame.sizeBytes };
  });
  const omittedFrames = frames.length - shownFrames.length;
  const omittedEvents = events.length - shownEvents.length;
  if (omittedFrames === 0 && omittedEvents === 0) return { frames: cut, events: shownEvents };
  const atNs = Math.max(frames.at(-1)?.atNs ?? 0, events.at(-1)?.atNs ?? 0);
  const text = `Not shown here: ${omittedFrames} frames and ${omittedEvents} events from the middle; the frame log holds them.`;
  return { frames: cut, events: [...shownEvents, { atNs, kind: 'note', text }] };
}

function bothEnds<T>(records: readonly T[]): T[] {
  if (records.length <= 2 * MAX_RECORDS_EACH_END) return [...records];
  return [
    ...records.slice(0, MAX_RECORDS_EACH_END),
    ...records.slice(records.length - MAX_RECORDS_EACH_END),
  ];
}
