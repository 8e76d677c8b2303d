import { FAILED_STATUSES, type Skeleton, STEP_KINDS, STEP_STATUSES } from '@misstep/model';
import type { FindTerm } from './find-query.ts';

type FindSkeleton = Pick<
  Skeleton,
  'count' | 'kinds' | 'names' | 'servers' | 'tools' | 'summaries' | 'statuses'
>;

// Lower-casing 100,000 summaries for each key typed would be felt; once a run is not.
const haystacks = new WeakMap<FindSkeleton, string[]>();

/** 1 where a step holds all the terms; null = there are no terms. */
export function matchSteps(skeleton: FindSkeleton, terms: readonly FindTerm[]): Uint8Array | null {
  if (terms.length === 0) return null;
  const matches = new Uint8Array(skeleton.count).fill(1);
  for (const term of terms) {
    const holds = testOf(skeleton, term);
    for (let index = 0; index < skeleton.count; index += 1) {
      if (matches[index] === 1 && !holds(index)) matches[index] = 0;
    }
  }
  return matches;
}

function testOf(skeleton: FindSkeleton, term: FindTerm): (index: number) => boolean {
  switch (term.field) {
    case 'text': {
      const texts = haystackOf(skeleton);
      return (index) => texts[index]?.includes(term.value) === true;
    }
    case 'tool':
      return contains(skeleton.tools, term.value);
    case 'server':
      return contains(skeleton.servers, term.value);
    case 'kind':
      return oneOf(skeleton.kinds, STEP_KINDS, term.value);
    case 'status':
      return oneOf(skeleton.statuses, STEP_STATUSES, term.value);
    case 'error': {
      const wanted = 'yes'.startsWith(term.value);
      return (index) => {
        const status = STEP_STATUSES[skeleton.statuses[index] ?? 0];
        return (status !== undefined && FAILED_STATUSES.has(status)) === wanted;
      };
    }
  }
}

function contains(column: readonly (string | null)[], value: string): (index: number) => boolean {
  return (index) => column[index]?.toLowerCase().includes(value) === true;
}

/** An exact word wins over words that merely begin with it (`error`, not `errorX`). */
function oneOf(
  column: readonly number[],
  words: readonly string[],
  value: string,
): (index: number) => boolean {
  const lower = words.map((word) => word.toLowerCase());
  const exact = lower.indexOf(value);
  const wanted = new Set(
    exact >= 0 ? [exact] : lower.flatMap((word, index) => (word.startsWith(value) ? [index] : [])),
  );
  return (index) => wanted.has(column[index] ?? -1);
}

function haystackOf(skeleton: FindSkeleton): string[] {
  const known = haystacks.get(skeleton);
  if (known !== undefined) return known;
  const texts = new Array<string>(skeleton.count);
  for (let index = 0; index < skeleton.count; index += 1) {
    const server = skeleton.servers[index];
    const tool = skeleton.tools[index];
    texts[index] =
      `${skeleton.names[index] ?? ''}\n${server ?? ''}/${tool ?? ''}\n${skeleton.summaries[index] ?? ''}`.toLowerCase();
  }
  haystacks.set(skeleton, texts);
  return texts;
}
