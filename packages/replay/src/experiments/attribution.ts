import type { ArgumentJudgement, ArgumentVerdict } from '@misstep/model';

/**
 * Judges each argument by the signatures of the cells that were called. A cell's key says for each
 * argument whose value it had: `ABA` is A's first, B's second, A's third. `sufficient`: A with this
 * one from B comes to B's outcome. `necessary`: B with this one from A no longer does.
 */
export function judgeArguments(
  names: readonly string[],
  cells: ReadonlyMap<string, string>,
): ArgumentJudgement[] {
  const outcomeB = cells.get('B'.repeat(names.length));
  const isWhole = cells.size === 2 ** names.length;
  return names.map((argument, index) => {
    const intoA = cells.get(keyWith(names.length, 'A', index, 'B'));
    const intoB = cells.get(keyWith(names.length, 'B', index, 'A'));
    if (outcomeB === undefined || intoA === undefined || intoB === undefined) {
      const sentence = `${argument}: not decided, the calls that would show it were not made.`;
      return { argument, verdict: 'not decided', sentence };
    }
    const isSufficient = intoA === outcomeB;
    const isNecessary = intoB !== outcomeB;
    const verdict = verdictOf(isSufficient, isNecessary, hasEffect(cells, index));
    return { argument, verdict, sentence: `${argument}: ${WORDS[verdict](isWhole)}.` };
  });
}

const WORDS: Readonly<Record<ArgumentVerdict, (isWhole: boolean) => string>> = {
  sufficient: () =>
    "sufficient; A with this one from B comes to B's outcome, and B keeps it without",
  necessary: () =>
    "necessary; B with this one from A loses B's outcome, but it is not enough alone",
  'sufficient and necessary': () => "sufficient and necessary; B's outcome comes and goes with it",
  'no effect': (isWhole) =>
    isWhole
      ? 'no effect in any combination'
      : 'no effect when switched alone from either side; other combinations were not called',
  interacting: () => 'interacting; what it does depends on the others',
  'not decided': () => 'not decided',
};

function verdictOf(
  isSufficient: boolean,
  isNecessary: boolean,
  hasAnyEffect: boolean,
): ArgumentVerdict {
  if (isSufficient && isNecessary) return 'sufficient and necessary';
  if (isSufficient) return 'sufficient';
  if (isNecessary) return 'necessary';
  return hasAnyEffect ? 'interacting' : 'no effect';
}

/** True where two cells that differ in this argument alone have different outcomes. */
function hasEffect(cells: ReadonlyMap<string, string>, index: number): boolean {
  for (const [key, signature] of cells) {
    if (key[index] !== 'A') continue;
    const other = cells.get(`${key.slice(0, index)}B${key.slice(index + 1)}`);
    if (other !== undefined && other !== signature) return true;
  }
  return false;
}

/** All of one side but for one argument. */
export function keyWith(count: number, side: 'A' | 'B', index: number, other: 'A' | 'B'): string {
  return side.repeat(index) + other + side.repeat(count - index - 1);
}
