import type { TargetAddress } from '@misstep/model';
import { leaveSecretsOut } from '../take-away/secrets.ts';

export const LEFT_OUT = '(left out)';

/** Shorter values stand in too many texts by chance to be searched for. */
const LEAST_SEARCHED = 6;

/** What looks like a secret in an address and is worth looking for elsewhere. */
export function searchedInAddress(address: TargetAddress): string[] {
  return leaveSecretsOut(address).values.filter((value) => value.length >= LEAST_SEARCHED);
}
