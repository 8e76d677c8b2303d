import { changeKept, type KeptSpan, repeatedIds } from '../kept-span.ts';
import { addTo } from '../multi-map.ts';
import { counted, type IssueList } from '../record-ledger.ts';

/**
 * A span that was told again with other contents (when it began and when it ended; as JSON and as
 * protobuf) is one span: the last telling stands where the first one stood, and the bytes of the
 * others stay with it. Two spans that merely share an id differ in name or start and are left alone,
 * and so are repetitions of the same words.
 */
export async function foldRevised(
  spans: readonly KeptSpan[],
  issues: IssueList,
): Promise<KeptSpan[]> {
  const repeated = repeatedIds(spans);
  const tellings = new Map<string, KeptSpan[]>();
  for (const span of spans) if (repeated.has(span.spanId)) addTo(tellings, keyOf(span), span);
  const folded: KeptSpan[] = [];
  for (const span of spans) {
    const all = repeated.has(span.spanId) ? (tellings.get(keyOf(span)) ?? []) : [span];
    // They stand together where the first one stood.
    if (all[0] !== span) continue;
    for (const each of await foldTellings(all, issues)) folded.push(each);
  }
  return folded;
}

async function foldTellings(
  all: readonly KeptSpan[],
  issues: IssueList,
): Promise<readonly KeptSpan[]> {
  const [first] = all;
  const last = all.at(-1);
  if (first === undefined || last === undefined || (await areSame(all))) return all;
  const { sha256, offset } = last.origin;
  issues.count(
    'SPAN_REVISED',
    (count) => `${counted(count, 'span')} told again with other contents; the last is shown.`,
    sha256,
    offset,
  );
  const between = all.slice(1, -1).map(({ origin }) => origin);
  const firstRecord = first.origin;
  const moreRecords = [last.origin, ...between];
  const at = Math.min(...all.map(({ firstAt }) => firstAt));
  const places = { firstAt: at, knownAt: at };
  return [changeKept(last, places, (whole) => ({ ...whole, firstRecord, moreRecords }))];
}

async function areSame(all: readonly KeptSpan[]): Promise<boolean> {
  const [first, ...others] = all;
  if (first === undefined || others.length === 0) return true;
  const { written } = (await first.whole()).record;
  for (const other of others) if ((await other.whole()).record.written !== written) return false;
  return true;
}

function keyOf({ traceId, spanId, name, start }: KeptSpan): string {
  return JSON.stringify([traceId, spanId, name, start?.text ?? null]);
}
