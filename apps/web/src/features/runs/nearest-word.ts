import { editDistance } from '@misstep/model';

const FURTHEST = 2;

/** The word that was most likely meant: one that begins so, or two letters away at most. */
export function nearestWord(typed: string, words: readonly string[]): string | null {
  const begins = words.find((word) => typed !== '' && word.startsWith(typed));
  if (begins !== undefined) return begins;
  let best: string | null = null;
  let bestDistance = FURTHEST + 1;
  for (const word of words) {
    // A word that is that much longer or shorter is no nearer; most are told by this alone.
    if (Math.abs(typed.length - word.length) >= bestDistance) continue;
    const distance = editDistance(typed, word);
    if (distance < bestDistance) {
      best = word;
      bestDistance = distance;
    }
  }
  return best;
}
