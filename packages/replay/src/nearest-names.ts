const MOST_NAMES = 5000;
const LONGEST_NAME = 128;

/** The names nearest to a wanted one by edit distance, nearest first; for "did you mean". */
export function nearestNames(wanted: string, names: readonly string[], limit: number): string[] {
  const target = wanted.slice(0, LONGEST_NAME).toLowerCase();
  return names
    .slice(0, MOST_NAMES)
    .map((name) => ({
      name,
      distance: editDistance(target, name.slice(0, LONGEST_NAME).toLowerCase()),
    }))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name);
}

/** Levenshtein distance in UTF-16 units. */
function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left.charCodeAt(row - 1) === right.charCodeAt(column - 1);
      const replaced = (previous[column - 1] ?? 0) + (isSame ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
