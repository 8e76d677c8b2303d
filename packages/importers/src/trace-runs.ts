import type { RunClock } from '@misstep/model';
import { resultText } from './call-verdict.ts';
import type { RunDraft } from './importer.ts';
import { firstLine } from './one-line.ts';
import type { IssueList, RecordLedger } from './record-ledger.ts';
import { textAttribute } from './span-attributes.ts';
import type { SpanStep } from './span-meaning.ts';
import { stepsOfSpans } from './spans-to-steps.ts';
import type { TraceSpan } from './trace-span.ts';

/** What a format knows of a trace beyond its spans. */
export interface TraceFacts {
  readonly title?: string | null;
  readonly client?: string | null;
  readonly naturalId?: string | null;
}

/** One run a trace, in the order in which the traces first appear. */
export function runsOfTraces(
  spans: readonly TraceSpan[],
  issues: IssueList,
  ledger: RecordLedger,
  factsOf: (traceId: string) => TraceFacts = () => ({}),
  clock: RunClock = 'zoned',
): RunDraft[] {
  const traces = new Map<string, TraceSpan[]>();
  for (const span of spans) {
    const trace = traces.get(span.traceId);
    if (trace === undefined) traces.set(span.traceId, [span]);
    else trace.push(span);
  }
  return [...traces].map(([traceId, own]) => {
    const { steps, spans: made, tools } = stepsOfSpans(own, issues, ledger);
    const facts = factsOf(traceId);
    const timed = steps.some(({ time }) => time.startedAtNs !== null || time.endedAtNs !== null);
    return {
      key: traceId || '0',
      title: firstLine(facts.title || titleOf(made), 200) || traceId || 'Trace',
      client: facts.client ?? own.find(({ service }) => service !== null)?.service ?? null,
      model: steps.find(({ kind, model }) => kind === 'model' && model !== null)?.model ?? null,
      naturalId: facts.naturalId ?? sessionOf(own) ?? (traceId || null),
      clock: timed ? clock : 'none',
      steps,
      frames: [],
      tools,
    };
  });
}

function sessionOf(spans: readonly TraceSpan[]): string | null {
  for (const { attributes } of spans) {
    const id = textAttribute(
      attributes,
      'gen_ai.conversation.id',
      'session.id',
      'ai.telemetry.metadata.sessionId',
    );
    if (id !== null) return id;
  }
  return null;
}

/** What the person asked, as the first model call was given it; else the name of the root. */
function titleOf(spans: readonly SpanStep[]): string {
  for (const { meaning } of spans) {
    const asked = meaning.inputs.filter(({ role }) => role === 'user').at(-1);
    const text = asked?.parts.find((part) => part.text !== null)?.text ?? '';
    if (text.trim() !== '') return firstLine(text);
  }
  const root = spans.find(({ step }) => step.parentId === null) ?? spans[0];
  const said = root?.span.attributes.get('input.value');
  const asked = said?.inner() === null ? resultText(said) : '';
  return firstLine(asked) || (root?.span.name ?? '');
}
