import type { ReplayFrame } from '@misstep/model';
import { counted, shorten, visible } from './terminal/visible.ts';

const SHOWN_REMARKS = 5;
const LONGEST_REMARK = 500;

/** What is to be known of single frames, a line each, as the screen marks them in its list of frames. */
export function frameRemarkLines(frames: readonly ReplayFrame[]): string[] {
  const remarked = frames.filter(({ remark }) => remark !== null);
  if (remarked.length === 0) return [];
  const shown = remarked.slice(0, SHOWN_REMARKS);
  const more = remarked.length - shown.length;
  return [
    `${counted(remarked.length, 'frame')} with a remark:`,
    ...shown.map(
      (frame) => `  ${nameOf(frame)}: ${shorten(visible(frame.remark ?? ''), LONGEST_REMARK)}`,
    ),
    ...(more === 0 ? [] : [`  and ${more} more; all with --json`]),
  ];
}

function nameOf({ seq, direction, kind, method, idText }: ReplayFrame): string {
  const from = direction === 'client-to-server' ? 'sent' : 'from the server';
  const id = idText === null ? '' : ` with id ${shorten(visible(idText), 40)}`;
  return `frame ${seq}, ${from}, ${shorten(visible(method ?? kind), 60)}${id}`;
}
