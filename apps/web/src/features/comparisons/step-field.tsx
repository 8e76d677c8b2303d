import type { StepDetail } from '@misstep/contract';
import { Field, SelectInput } from '../../ui/field.tsx';
import { countOf, formatCount } from '../../ui/format-count.ts';
import { visibleLine } from '../step-panel/visible-text.ts';
import { type ToolCall, useToolCalls } from './use-tool-calls.ts';

/** A list of more is no list to choose from: those nearest to A's step stand in it. */
const MOST_LISTED = 200;
const SUMMARY_LENGTH = 60;

/** The step that B calls: A's own or another call of the same tool in the run, as both must be of one tool. */
export function StepField(props: {
  step: StepDetail;
  value: string;
  onChange: (stepId: string) => void;
}) {
  const { step, value } = props;
  const all = useToolCalls(step.runId, step.tool);
  const { calls, omitted } = nearest(all ?? [], step.seq, value);
  const isListed = calls.some(({ id }) => id === value);
  return (
    <Field label="B’s step" note={noteOf(calls.length, omitted, all === undefined)}>
      {(ids) => (
        <SelectInput
          {...ids}
          value={value}
          onChange={(event) => props.onChange(event.currentTarget.value)}
        >
          {isListed ? null : (
            <option value={value}>
              {value === step.id ? `step ${step.seq}` : 'a step of another tool'}
            </option>
          )}
          {calls.map(({ id, seq, summary }) => (
            <option key={id} value={id}>
              {wordsOf(seq, summary, id === step.id)}
            </option>
          ))}
        </SelectInput>
      )}
    </Field>
  );
}

function wordsOf(seq: number, summary: string, isA: boolean): string {
  const text = visibleLine(summary);
  const shown = text.length <= SUMMARY_LENGTH ? text : `${text.slice(0, SUMMARY_LENGTH)}…`;
  return `step ${seq}${isA ? ', A’s own' : ''}${shown === '' ? '' : `: ${shown}`}`;
}

function noteOf(listed: number, omitted: number, isReading: boolean): string {
  if (isReading) return 'Calls of the same tool in this run.';
  return omitted === 0
    ? `${countOf(listed, 'call')} of this tool in the run.`
    : `The ${formatCount(listed)} nearest of ${formatCount(listed + omitted)} calls of this tool.`;
}

/** The calls around A's step, and the one chosen. */
export function nearest(
  all: readonly ToolCall[],
  seq: number,
  chosen: string,
): { calls: readonly ToolCall[]; omitted: number } {
  if (all.length <= MOST_LISTED) return { calls: all, omitted: 0 };
  const at = all.findIndex((each) => each.seq >= seq);
  const middle = at === -1 ? all.length : at;
  const from = Math.max(0, Math.min(middle - MOST_LISTED / 2, all.length - MOST_LISTED));
  const shown = all.filter(
    ({ id }, index) => (index >= from && index < from + MOST_LISTED) || id === chosen,
  );
  return { calls: shown, omitted: all.length - shown.length };
}
