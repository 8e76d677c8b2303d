/** How many letters must change, at most `limit`; more gives `limit + 1`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const change = a[row - 1] === b[column - 1] ? 0 : 1;
      current.push(
        Math.min(
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (previous[column - 1] ?? 0) + change,
        ),
      );
    }
    previous = current;
  }
  return previous[b.length] ?? limit + 1;
}

const FURTHEST = 2;

/** The word that was most likely meant: one that begins so, or two letters away at most. */
export function nearestWord(typed: string, words: readonly string[]): string | null {
  const begins = words.find((word) => typed !== '' && word.startsWith(typed));
  if (begins !== undefined) return begins;
  let best: string | null = null;
  let bestDistance = FURTHEST + 1;
  for (const word of words) {
    const distance = editDistance(typed, word, FURTHEST);
    if (distance < bestDistance) {
      best = word;
      bestDistance = distance;
    }
  }
  return best;
}
