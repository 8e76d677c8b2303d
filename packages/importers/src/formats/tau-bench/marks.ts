import type { ExternalMark, Step } from '@misstep/model';
import type { JsonView } from '../../json-view.ts';
import { oneLine } from '../../one-line.ts';

const MAX_REASON_LENGTH = 2000;

/** What tau2 says of a simulation: the errors that its review names, else that it earned no full reward. */
export function marksOf(item: JsonView, byTurn: ReadonlyMap<string, Step>): ExternalMark[] {
  const errors = item.at('review', 'errors')?.items ?? [];
  if (errors.length > 0) return errors.map((error) => markOfError(error, byTurn));
  const reward = item.at('reward_info', 'reward')?.number ?? null;
  if (reward === null || Number(reward) >= 1) return [];
  const info = item.get('reward_info');
  if (info === undefined) return [];
  return [
    {
      by: 'tau2 reward',
      stepId: null,
      placeText: null,
      agent: null,
      category: null,
      reason: oneLine([`reward ${reward}`, ...unmet(info)].join('; '), MAX_REASON_LENGTH),
      origin: info.origin,
    },
  ];
}

function markOfError(error: JsonView, byTurn: ReadonlyMap<string, Step>): ExternalMark {
  const turn = error.get('turn_idx')?.written ?? null;
  const placeText = turn === null || turn === 'null' ? null : `turn ${turn}, counted from 0`;
  return {
    by: 'tau2 review',
    stepId: turn === null ? null : (byTurn.get(turn)?.id ?? null),
    placeText,
    agent: error.get('source')?.text ?? null,
    category: error.firstOf('error_type', 'category', 'severity')?.text ?? null,
    reason: oneLine(error.firstOf('explanation', 'reasoning')?.text ?? '', MAX_REASON_LENGTH),
    origin: error.origin,
  };
}

/** The checks that the simulation didn't pass. */
function unmet(info: JsonView): string[] {
  const isFalse = (place: JsonView | undefined): boolean => place?.written === 'false';
  const told = isFalse(info.at('db_check', 'db_match')) ? ['the database differs'] : [];
  for (const check of info.get('action_checks')?.items ?? []) {
    if (!isFalse(check.get('action_match'))) continue;
    told.push(`no call as expected: ${check.at('action', 'name')?.text ?? '?'}`);
  }
  for (const check of info.get('nl_assertions')?.items ?? []) {
    if (isFalse(check.get('met'))) told.push(`not met: ${check.get('nl_assertion')?.text ?? '?'}`);
  }
  for (const check of info.get('communicate_checks')?.items ?? []) {
    if (isFalse(check.get('met'))) told.push(`not said: ${check.get('info')?.text ?? '?'}`);
  }
  return told;
}
