import type { ArgumentJudgement, ArgumentVerdict, Words } from '@misstep/model';
import { WHOLE_LATTICE } from './attribution-order.ts';

type Word = Words[number];
const word = (text: string): Word => ({ text, isName: false });

/** What is told in the verdict's sentence. */
export interface VerdictFacts {
  readonly judgements: readonly ArgumentJudgement[];
  /** What A and B come to, for a person. */
  readonly outcomes: { readonly a: string; readonly b: string };
  readonly isWhole: boolean;
}

/** The verdict in one sentence, and what it rests on in a second. */
export function verdictWords(facts: VerdictFacts): { headline: Words; detail: Words } {
  const { judgements, outcomes } = facts;
  const names = (verdict: ArgumentVerdict) =>
    judgements.filter((each) => each.verdict === verdict).map(({ argument }) => argument);
  const [sole, either, needed] = [
    names('sufficient and necessary'),
    names('sufficient'),
    names('necessary'),
  ];
  const turn = `turns ${outcomes.a} into ${outcomes.b}`;
  const clauses: Word[][] = [];
  const details: Word[][] = [];
  if (sole.length > 0) {
    clauses.push([...list(sole, 'and'), word(` alone ${turn}`)]);
    details.push([
      word('Putting A’s '),
      ...list(sole, 'or'),
      word(' into B takes that back, so it is both enough and needed, here and today.'),
    ]);
  }
  if (either.length > 0) {
    clauses.push([...list(either, 'or'), word(` alone ${turn}`)]);
    details.push([
      word(
        either.length > 1
          ? 'Each of them is enough, and none is needed: the others do the same, here and today.'
          : 'It is enough, but not needed: B comes to the same without it, here and today.',
      ),
    ]);
  }
  if (needed.length > 0) {
    const verb = needed.length > 1 ? 'are needed' : 'is needed';
    clauses.push([
      ...list(needed, 'and'),
      word(` ${verb} to turn ${outcomes.a} into ${outcomes.b}`),
    ]);
    details.push([
      word(
        needed.length > 1
          ? 'Putting A’s value of any of them into B takes that back; none is enough alone.'
          : 'Putting A’s value into B takes that back, but it is not enough alone.',
      ),
    ]);
  }
  const interacting = names('interacting');
  if (interacting.length > 0) {
    const verb = interacting.length > 1 ? ' interact' : ' interacts with the others';
    clauses.push([...list(interacting, 'and'), word(verb)]);
    details.push([word('What one of them does depends on the others.')]);
  }
  const idle = names('no effect');
  if (idle.length > 0) {
    const verb =
      clauses.length > 0 ? (idle.length > 1 ? ' do not' : ' does not') : ' change nothing';
    clauses.push([...list(idle, 'and'), word(verb)]);
  }
  const open = names('not decided');
  if (open.length > 0) clauses.push([...list(open, 'and'), word(' not decided')]);
  if (!facts.isWhole && open.length === 0) {
    details.push([word('Switched one at a time; other combinations were not called.')]);
  }
  return {
    headline: [...join(clauses, word('; ')), word('.')],
    detail: join(details, word(' ')),
  };
}

/** Said with every verdict. */
export function leftOpen(isWhole: boolean, excluded: readonly string[]): string[] {
  return [
    'Why the agent chose these arguments. Only its run can say that.',
    'What the server held when the run was recorded. Its state then is not known.',
    'Any other value. Of each argument two were tried.',
    ...(isWhole
      ? []
      : [
          `Several arguments switched together. Up to ${WHOLE_LATTICE} that differ, every combination is called.`,
        ]),
    ...(excluded.length === 0
      ? []
      : ['What moves by itself. Those pointers were left out of the comparison.']),
  ];
}

export function plainWords(words: Words): string {
  return words.map(({ text }) => text).join('');
}

function list(names: readonly string[], last: 'and' | 'or'): Word[] {
  return names.flatMap((name, index): Word[] => {
    const before = index === 0 ? '' : index === names.length - 1 ? ` ${last} ` : ', ';
    return [...(before === '' ? [] : [word(before)]), { text: name, isName: true }];
  });
}

function join(parts: readonly (readonly Word[])[], between: Word): Word[] {
  return parts.flatMap((part, index) => (index === 0 ? [...part] : [between, ...part]));
}
