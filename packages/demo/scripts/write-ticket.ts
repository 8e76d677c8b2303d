import { member, parseJson, stringValue } from '@misstep/json';
import type { RecordedAct } from './recording.ts';

/**
 * The run as people paste it into a ticket: rendered by a client that reads numbers as floats and
 * folds long lists.
 */
export function writeTicket(
  acts: readonly RecordedAct[],
  timeOfDay: (atNs: bigint) => string,
): string {
  const lines = [
    'Ticket 1187. Order search is broken, it says 20 orders. Copied from the chat:',
    '',
  ];
  for (const { act, atNs, answers } of acts) {
    if (act.kind === 'user') lines.push(`[${timeOfDay(atNs)}] User: ${act.text}`);
    else if (act.kind === 'model') lines.push(`[${timeOfDay(atNs)}] Assistant: ${act.text}`);
    else {
      for (const call of act.calls)
        lines.push(`[${timeOfDay(atNs)}] → seeds/${call.tool} ${call.argumentsText}`);
      const ordered = act.calls
        .map((call, index) => ({ call, answer: answers[index] }))
        .sort((left, right) => Number((left.answer?.atNs ?? 0n) - (right.answer?.atNs ?? 0n)));
      for (const { call, answer } of ordered) {
        const name = act.calls.length > 1 ? `${call.tool} ` : '';
        lines.push(
          `[${timeOfDay(answer?.atNs ?? atNs)}] ← ${name}${render(answer?.resultText ?? '')}`,
        );
      }
    }
    if (act.kind !== 'calls') continue;
    lines.push('');
  }
  return `${lines.join('\n')}\n`;
}

/** What a careless client shows: JSON through doubles, lists over three items folded away. */
function render(resultText: string): string {
  const parsed = parseJson(resultText);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const content = member(parsed.value, parsed.value.root, 'content');
  const block = content?.kind === 'array' ? content.items[0] : undefined;
  const text = block === undefined ? undefined : member(parsed.value, block, 'text');
  if (text?.kind !== 'string') throw new Error('the demo server answered without text');
  // The loss is the point: this client sends everything through JSON.parse.
  const value: unknown = JSON.parse(stringValue(parsed.value, text));
  return printFolded(value);
}

function printFolded(value: unknown): string {
  if (Array.isArray(value)) {
    return value.length > 5
      ? `[ …${value.length} items… ]`
      : `[${value.map(printFolded).join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, item]) => `${JSON.stringify(key)}: ${printFolded(item)}`)
      .join(', ')}}`;
  }
  return JSON.stringify(value);
}
