import { addTo } from '../multi-map.ts';
import { counted, type IssueList } from '../record-ledger.ts';
import type { TraceSpan } from '../trace-span.ts';

/**
 * A span that was told again with other contents (when it began and when it ended; as JSON and as
 * protobuf) is one span: the last telling stands where the first one stood, and the bytes of the
 * others stay with it. Two spans that merely share an id differ in name or start and are left alone,
 * and so are repetitions of the same words.
 */
export function foldRevised(spans: readonly TraceSpan[], issues: IssueList): TraceSpan[] {
  const tellings = new Map<string, TraceSpan[]>();
  for (const span of spans) addTo(tellings, keyOf(span), span);
  return [...tellings.values()].flatMap((all) => {
    const [first] = all;
    const last = all.at(-1);
    if (first === undefined || last === undefined) return [];
    if (all.every(({ record }) => record.written === first.record.written)) return all;
    const { sha256, offset } = last.record.origin;
    issues.count(
      'SPAN_REVISED',
      (count) => `${counted(count, 'span')} told again with other contents; the last is shown.`,
      sha256,
      offset,
    );
    const between = all.slice(1, -1).map(({ record }) => record);
    return [{ ...last, firstRecord: first.record, moreRecords: [last.record, ...between] }];
  });
}

function keyOf({ traceId, spanId, name, start }: TraceSpan): string {
  return JSON.stringify([traceId, spanId, name, start?.text ?? null]);
}
