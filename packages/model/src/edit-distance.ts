/** How many letters must change to make one word the other (Levenshtein), in UTF-16 units. */
export function editDistance(left: string, right: string): number {
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
