import type { Importer, ImportInput, ImportResult, RunDraft, SourceHead } from '../importer.ts';
import { readTopValues } from '../json-documents.ts';
import type { JsonView } from '../json-view.ts';
import { orderSteps } from '../order-steps.ts';
import { IssueList, type RecordFate, RecordLedger, SetAside } from '../record-ledger.ts';
import { draftOf, RunWriter } from '../run-writer.ts';
import { textAttribute } from '../span-attributes.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { addEvent } from './gemini-telemetry/event.ts';

/** What Gemini CLI writes where its telemetry goes to a file: log records, spans and metrics. */
export const geminiTelemetry: Importer = {
  id: 'gemini-telemetry',
  title: 'Gemini CLI telemetry',
  evidence: 'logged',
  revision: 4,
  sniff,
  read,
};

const METRICS = new SetAside('metrics, which are no part of a run');
const SPAN = new SetAside('a span; what it is of is told by an event');

function sniff({ text }: SourceHead): number {
  // Blanks of the line alone: over blank lines each would be looked at again from every one of them.
  if (!/^[^\S\r\n\u2028\u2029]*[{}]/m.test(text)) return 0;
  const isOurs = /"event\.name":\s*"gemini_cli\.[a-z_.]+"/.test(text);
  if (isOurs && /"(?:hrTime|_spanContext|scopeMetrics)":/.test(text)) return 0.96;
  const isSpan = /^[^\S\r\n\u2028\u2029]*\{\s*"_spanContext":/m.test(text);
  return isSpan && /"gen_ai\.agent\.name":\s*"gemini-cli"/.test(text) ? 0.9 : 0;
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const { main } = input;
  const issues = new IssueList();
  const ledger = new RecordLedger(main.sha256);
  const sessions = new Map<string, RunWriter>();
  for await (const { place } of readTopValues(input, ledger, issues)) {
    ledger.take(
      place.origin,
      readRecord(place, sessions, () => newWriter(input, issues)),
    );
  }
  const runs: RunDraft[] = [];
  for (const [session, writer] of sessions) {
    const draft = draftOf(orderSteps([writer.steps]), {
      key: session || '0',
      title: null,
      client: 'Gemini CLI',
      model: writer.model,
      naturalId: session || null,
      clock: writer.clock,
      sourceName: main.name,
    });
    if (draft !== null) runs.push(draft);
  }
  return { runs, sources: [ledger.account()], issues: issues.list() };
}

function newWriter({ main }: ImportInput, issues: IssueList): RunWriter {
  return new RunWriter(main, issues, 'logged');
}

/** Sessions are written to one file; each is a run. */
function readRecord(
  record: JsonView,
  sessions: Map<string, RunWriter>,
  make: () => RunWriter,
): RecordFate {
  if (record.firstOf('scopeMetrics', 'resourceMetrics') !== undefined) return METRICS;
  const attributes = record.get('attributes')?.entries ?? new Map<string, JsonView>();
  const name = textAttribute(attributes, 'event.name');
  if (name === null) return record.get('_spanContext') === undefined ? 'no event in it' : SPAN;
  const session = textAttribute(attributes, 'session.id') ?? '';
  const writer = sessions.get(session) ?? make();
  const fate = addEvent(writer, record, name, attributes);
  if (writer.steps.length > 0) sessions.set(session, writer);
  return fate;
}
