import { editDistance } from '@misstep/model';

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
