import { countOf } from '../../ui/format-count.ts';
import { RIGHT_PX } from './rows-box.tsx';

/** Where a flag stands over the axis, in pixels of it. */
export interface FlagSpan {
  readonly from: number;
  readonly to: number;
}

export const EXTERNAL_FLAG_PX = 52;
/** Room that a tick's label takes. */
export const TICK_LABEL_PX = 40;
/** About as wide as a letter of 11 px is, rather more than less. */
const LETTER_PX = 5.6;

export function markFlagPx(words: string): number {
  return 10 + words.length * LETTER_PX;
}

/** At the right end a flag flies to the left of its pole. */
export function flagSpan(px: number, flagPx: number, axisPx: number): FlagSpan {
  const from = px + flagPx > axisPx + RIGHT_PX ? px - flagPx : px;
  return { from, to: from + flagPx };
}

export function isCovered(flags: readonly FlagSpan[], from: number, to: number): boolean {
  return flags.some((flag) => to > flag.from && from < flag.to);
}

/**
 * What an axis that only counts steps says of itself, as long as there is room between flags: whole, else
 * its first words; null where even those would stand below a flag.
 */
export function placeOrderWords(
  count: number,
  flags: readonly FlagSpan[],
  axisPx: number,
): { readonly px: number; readonly words: string } | null {
  const long = `order only, no times recorded: ${countOf(count, 'step')}, each as wide as the next`;
  const starts = [4, ...flags.map(({ to }) => to + 8)].sort((a, b) => a - b);
  for (const words of [long, 'order only, no times recorded', 'order only']) {
    const widthPx = words.length * LETTER_PX;
    const px = starts.find(
      (start) => start + widthPx <= axisPx + RIGHT_PX && !isCovered(flags, start, start + widthPx),
    );
    if (px !== undefined) return { px, words };
  }
  return null;
}
