/** What an argument's value in A has to do with A's outcome, as far as these calls show. */
export type ArgumentVerdict =
  | 'sufficient'
  | 'necessary'
  | 'sufficient and necessary'
  | 'no effect'
  | 'interacting'
  | 'not decided';

export interface ArgumentJudgement {
  readonly argument: string;
  readonly verdict: ArgumentVerdict;
  readonly sentence: string;
}

/**
 * Judges each argument by the signatures of the cells that were called. A cell's key says for each
 * argument whose value it had: `ABA` is A's first, B's second, A's third. `sufficient`: B with this
 * one from A comes to A's outcome. `necessary`: A with this one from B no longer does.
 */
export function judgeArguments(
  names: readonly string[],
  cells: ReadonlyMap<string, string>,
): ArgumentJudgement[] {
  const outcomeA = cells.get('A'.repeat(names.length));
  const isWhole = cells.size === 2 ** names.length;
  return names.map((argument, index) => {
    const intoB = cells.get(keyWith(names.length, 'B', index, 'A'));
    const outOfA = cells.get(keyWith(names.length, 'A', index, 'B'));
    if (outcomeA === undefined || intoB === undefined || outOfA === undefined) {
      const sentence = `${argument}: not decided, the calls that would show it were not made.`;
      return { argument, verdict: 'not decided', sentence };
    }
    const isSufficient = intoB === outcomeA;
    const isNecessary = outOfA !== outcomeA;
    const verdict = verdictOf(isSufficient, isNecessary, hasEffect(cells, index));
    return { argument, verdict, sentence: `${argument}: ${WORDS[verdict](isWhole)}.` };
  });
}

const WORDS: Readonly<Record<ArgumentVerdict, (isWhole: boolean) => string>> = {
  sufficient: () =>
    "sufficient; B with this one from A comes to A's outcome, and A keeps it without",
  necessary: () =>
    "necessary; A with this one from B loses A's outcome, but it is not enough alone",
  'sufficient and necessary': () => "sufficient and necessary; A's outcome comes and goes with it",
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
