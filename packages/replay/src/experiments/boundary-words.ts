import type { BoundaryMatrix, Words } from '@misstep/model';
import { shortOutcome } from './outcome-reader.ts';

type Word = Words[number];
const word = (text: string): Word => ({ text, isName: false });
const name = (text: string): Word => ({ text, isName: true });

/** What the sentence is made of. */
interface BoundaryFacts {
  readonly argument: string;
  readonly outcomeA: string | null;
  readonly outcomeB: string | null;
  readonly isHash: boolean;
  readonly changes: BoundaryMatrix['changes'];
  readonly refusal: string | null;
  readonly triedCount: number;
  readonly outcomeCount: number;
  /** Values from A to B, both counted. */
  readonly total: bigint;
  readonly step: string;
}

const MOST_NAMED = 3;

/** The change that was found in one sentence, and what was tried beside it in more. */
export function boundaryWords(facts: BoundaryFacts): { headline: Words; detail: Words } {
  const { argument, changes, refusal, outcomeA, outcomeB } = facts;
  if (refusal !== null) return { headline: [word(refusal)], detail: [] };
  const [sought, ...others] = changes;
  if (sought === undefined || outcomeA === null || outcomeB === null) {
    return { headline: [word('Nothing can be told yet.')], detail: [] };
  }
  const where = sought.areNeighbours ? ' changes between ' : ' changes somewhere between ';
  const headline = [
    word('The outcome of '),
    name(argument),
    word(where),
    name(sought.from),
    word(' and '),
    name(sought.to),
    word('.'),
  ];
  const tried = `${facts.triedCount} of ${facts.total} values were tried, ${facts.step} apart at the nearest.`;
  const detail = [word(tried)];
  if (others.length > 0) {
    const named = others
      .slice(0, MOST_NAMED)
      .flatMap(({ from, to }, index) => [
        word(index === 0 ? ' ' : ', '),
        name(from),
        word(' and '),
        name(to),
      ]);
    const more = others.length > MOST_NAMED ? ` and ${others.length - MOST_NAMED} more` : '';
    detail.push(
      word(` It is not the only change: it changes also between`),
      ...named,
      word(`${more}.`),
    );
  } else {
    detail.push(
      word(
        ` On either side of it every value that was tried has the outcome of its end: ${endsOf(facts)}.`,
      ),
    );
  }
  if (facts.outcomeCount > 2) {
    const advice =
      facts.isHash && facts.outcomeCount * 2 > facts.triedCount
        ? ' Many values have a result of their own: choose a number of items or one value as outcome to find where that changes.'
        : '';
    detail.push(word(` ${facts.outcomeCount} different outcomes came, not two.${advice}`));
  }
  return { headline, detail };
}

function endsOf({ outcomeA, outcomeB, isHash }: BoundaryFacts): string {
  const isResult = (each: string | null) => isHash && each !== null && !each.startsWith('(');
  if (isResult(outcomeA) && isResult(outcomeB)) return 'A’s result, then B’s';
  const kind = isHash ? 'hash' : 'value';
  return `${shortOutcome(outcomeA ?? '', kind)}, then ${shortOutcome(outcomeB ?? '', kind)}`;
}

/** Said with every boundary. */
export function boundaryLeftOpen(facts: {
  readonly argument: string;
  readonly untried: bigint;
  readonly otherCount: number;
  readonly excluded: readonly string[];
}): string[] {
  const { untried, otherCount, argument } = facts;
  return [
    `Why the agent chose its value of ${argument}. Only its run can say that.`,
    'What the server held when the run was recorded. Its state then is not known.',
    ...(untried === 0n
      ? []
      : [
          `${untried === 1n ? 'The one value that was' : `The ${untried} values that were`} not tried. Nothing says that the outcome changes only once.`,
        ]),
    ...(otherCount === 0
      ? []
      : [
          `The other ${otherCount === 1 ? 'argument' : `${otherCount} arguments`} as B has ${otherCount === 1 ? 'it. It was held as A has it.' : 'them. They were held as A has them.'}`,
        ]),
    ...(facts.excluded.length === 0
      ? []
      : ['What moves by itself. Those pointers were left out of the comparison.']),
  ];
}
