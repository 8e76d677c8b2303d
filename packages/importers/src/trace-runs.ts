import type { RunClock } from '@misstep/model';
import { resultText } from './call-verdict.ts';
import type { RunDraft } from './importer.ts';
import type { KeptSpan } from './kept-span.ts';
import { addTo } from './multi-map.ts';
import { firstLine } from './one-line.ts';
import type { IssueList, LateLedger } from './record-ledger.ts';
import { SourcePlaces, TraceIds } from './source-places.ts';
import { wholeOf } from './span-meaning.ts';
import { stepsOfSpans, type TraceSteps } from './spans-to-steps.ts';

/** What a format knows of a trace beyond its spans. */
export interface TraceFacts {
  readonly title?: string | null;
  readonly client?: string | null;
  readonly naturalId?: string | null;
}

/** One run a trace, in the order in which the traces first appear. */
export async function runsOfTraces(
  spans: readonly KeptSpan[],
  issues: IssueList,
  ledger: LateLedger,
  factsOf: (traceId: string) => TraceFacts = () => ({}),
  clock: RunClock = 'zoned',
  places = new SourcePlaces([]),
): Promise<RunDraft[]> {
  const traces = new Map<string, KeptSpan[]>();
  for (const span of spans) addTo(traces, span.traceId, span);
  const runs: RunDraft[] = [];
  for (const [traceId, own] of traces) {
    const [one] = own;
    if (one === undefined) continue;
    const firstAt = own.reduce((least, { knownAt }) => Math.min(least, knownAt), Number.MAX_VALUE);
    const first = places.sourceAt(firstAt)?.sha256 ?? one.origin.sha256;
    const trace = await stepsOfSpans(own, issues, ledger, new TraceIds(places, first));
    const { steps, session, tools } = trace;
    const facts = factsOf(traceId);
    const timed = steps.some(({ time }) => time.startedAtNs !== null || time.endedAtNs !== null);
    const title = firstLine(facts.title || (await titleOf(trace)), 200);
    runs.push({
      key: traceId || '0',
      knownBy: first,
      title: title || traceId || 'Trace',
      client: facts.client ?? own.find(({ service }) => isNamed(service))?.service ?? null,
      model: steps.find(({ kind, model }) => kind === 'model' && model !== null)?.model ?? null,
      naturalId: facts.naturalId ?? session ?? (traceId || null),
      clock: timed ? clock : 'none',
      steps,
      frames: [],
      tools,
    });
  }
  return runs;
}

/** An SDK that was told no name of its service writes `unknown_service`, or that and the program's. */
function isNamed(service: string | null): boolean {
  return service !== null && !/^unknown_service(?::|$)/.test(service);
}

/** What the person asked, as the first model call was given it; else the name of the root. */
async function titleOf({ asked, spans }: TraceSteps): Promise<string> {
  if (asked !== null) return asked;
  const root = (spans.find(({ step }) => step.parentId === null) ?? spans[0])?.span;
  const said = (root === undefined ? undefined : await wholeOf(root))?.attributes.get(
    'input.value',
  );
  const given = said?.inner() === null ? resultText(said) : '';
  return firstLine(given) || (root?.name ?? '');
}
