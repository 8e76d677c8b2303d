import { parseJson } from '@misstep/json';
import type { CapturedValue, Step } from '@misstep/model';
import { CUT_SHORT } from './cut-json.ts';
import { counted, type IssueList } from './record-ledger.ts';

/** Where a streamed answer lacks something: behind the last event, or between events. */
export type StreamBreak = 'end' | 'middle';

const REASONS: Record<StreamBreak, string> = {
  end: 'The stream breaks off before its end was told: more may have followed.',
  middle: 'A part of the stream is missing or damaged: the answer may lack what it held.',
};

/** What begins without arguments says `{}` until the first of them comes. */
function mayBeCut({ inlineText, origin }: CapturedValue): boolean {
  if (inlineText === null) return origin?.length === 2;
  return inlineText.trim() === '{}' || !parseJson(inlineText).ok;
}

/**
 * Says of a model call and its steps that the answer is not all there. Its last piece ends where the
 * stream did: the call that was being written, or else what was being said.
 */
export function markBrokenStream(
  { kind, model, steps }: { kind: StreamBreak; model: Step | null; steps: readonly Step[] },
  issues: IssueList,
): void {
  const first = model ?? steps[0];
  if (first === undefined) return;
  issues.count(
    'STREAM_BROKE_OFF',
    (count) =>
      `${counted(count, 'streamed answer')} of which the source holds a part alone: the end, or something before it, is missing. Tokens that stand at the end are not known.`,
    first.origin.sha256,
    first.origin.offset,
  );
  if (model !== null) {
    model.status = 'unknown';
    model.statusReason = REASONS[kind];
  }
  if (kind !== 'end') return;
  const call = steps.findLast((step) => step.kind === 'tool');
  if (call !== undefined) {
    const given = call.arguments;
    if (given === null || !mayBeCut(given)) return;
    call.arguments = { ...given, state: 'elided', elisions: [CUT_SHORT] };
    return;
  }
  const said = model?.content.at(-1);
  if (model === null || said === undefined || said.value.state !== 'captured') return;
  const value = { ...said.value, state: 'elided' as const, elisions: [CUT_SHORT] };
  model.content = [...model.content.slice(0, -1), { ...said, value }];
}
