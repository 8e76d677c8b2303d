import { copyAt, type JsonChange, listChanges, parseJson } from '@misstep/json';
import { fail, ok, type Result } from '@misstep/model';

/** One call that differs from the recorded one in a single place. */
export interface SplitCall {
  readonly change: JsonChange;
  readonly argumentsText: string;
}

export interface SplitPlan {
  readonly calls: readonly SplitCall[];
  readonly sentence: string;
}

/** More would be no plan that a person reads before they confirm it. */
const MOST_CALLS = 50;

/**
 * An edited call as calls that each make one of its changes to the recorded arguments, whose other
 * bytes stay as they are. The error is one sentence.
 */
export function planSplit(recordedText: string, editedText: string): Result<SplitPlan, string> {
  const recorded = parseJson(recordedText);
  if (!recorded.ok) return fail(`The recorded arguments are not JSON. ${recorded.error.message}`);
  const edited = parseJson(editedText);
  if (!edited.ok) return fail(`The arguments are not JSON. ${edited.error.message}`);
  if (recorded.value.root.kind !== 'object' || edited.value.root.kind !== 'object') {
    return fail('Only arguments that are JSON objects can be split.');
  }
  const changes = listChanges(recorded.value, edited.value);
  if (changes.length < 2) {
    return fail(
      changes.length === 0
        ? 'No value differs from the recorded call, so there is nothing to split.'
        : `Only \`${changes[0]?.pointer ?? ''}\` differs from the recorded call, so there is nothing to split.`,
    );
  }
  if (changes.length > MOST_CALLS) {
    return fail(
      `${changes.length} values differ from the recorded call; at most ${MOST_CALLS} can be sent one by one. Put some back first.`,
    );
  }
  const calls: SplitCall[] = [];
  for (const change of changes) {
    const text = copyAt(recordedText, editedText, change.pointer);
    if (!text.ok)
      return fail(`\`${change.pointer}\` can't be changed alone. ${text.error.message}`);
    calls.push({ change, argumentsText: text.value });
  }
  return ok({
    calls,
    sentence: `${calls.length} calls, each with one of the ${calls.length} changes to the recorded arguments, one after the other.`,
  });
}
