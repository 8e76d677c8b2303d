import type { AttributionMatrix } from '@misstep/model';
import { CHECKS, halvings } from './boundary-path.ts';
import { rangeBetween } from './value-range.ts';

/** Tried in the widest gaps where nothing else is asked for; as the request's default. */
const ELSEWHERE = 4;

/** The arguments that alone turn A's outcome into B's and have values between, with the most calls that a search would send. */
export function findBoundaries(
  matrix: Pick<AttributionMatrix, 'arguments' | 'judgements'>,
): { argument: string; callCount: number }[] {
  return matrix.judgements.flatMap(({ argument, verdict }) => {
    if (verdict !== 'sufficient' && verdict !== 'sufficient and necessary') return [];
    const difference = matrix.arguments.find(({ name }) => name === argument);
    if (difference === undefined) return [];
    const range = rangeBetween(difference.a, difference.b);
    if (!range.ok) return [];
    const { a, b } = range.value;
    return [{ argument, callCount: CHECKS * 2 + halvings(a, b) + 2 + ELSEWHERE }];
  });
}
