import type { Step, StepTime } from '@misstep/model';
import type { SourceReader } from '../../importer.ts';
import type { IssueList, RecordSpan } from '../../record-ledger.ts';
import type { RunSource } from '../../run-sources.ts';
import { StepAliases } from '../../step-aliases.ts';
import { makeStep, type StepFields } from '../../step-builder.ts';
import { noteMissingTime } from '../../unreadable-time.ts';
import { ModelCalls } from './model-calls.ts';
import { SessionClock, type SessionRecord } from './record.ts';
import { SeenRecords } from './seen-records.ts';
import { addToThread, type Thread } from './thread.ts';
import { ToolCalls } from './tool-calls.ts';

/** What is known of the whole session while its sources are read one after the other. */
export class Session {
  readonly issues: IssueList;
  calls: ToolCalls;
  readonly threads: Thread[] = [];
  /** Threads of sub-agents by agent id; of sidechains without one by their root's uuid. */
  readonly threadsByKey = new Map<string, Thread>();
  /** Every record with a uuid, of every type: progress records stand in parent chains too. */
  readonly seen = new SeenRecords();
  /** Agent id to the id of the call that started it, from progress records. */
  readonly agentCalls = new Map<string, string>();
  readonly clock = new SessionClock();
  readonly aliases = new StepAliases();
  /** The sources of the run by their readers. */
  readonly sources = new Map<SourceReader, RunSource>();
  /** Of the source that the run is known by. */
  mainId: string | null = null;
  sessionId: string | null = null;
  version: string | null = null;
  model: string | null = null;
  title: { text: string; rank: number } | null = null;

  constructor(issues: IssueList) {
    this.issues = issues;
    this.calls = new ToolCalls(issues);
  }

  /** What only reading needs goes before a long run is put in order, which needs memory of its own. */
  forget(): void {
    this.seen.clear();
    this.calls = new ToolCalls(this.issues);
    for (const thread of this.threads) thread.modelCalls = new ModelCalls();
  }

  see(record: SessionRecord, thread: Thread, reader: SourceReader): void {
    const { uuid, copiedFrom } = record;
    if (uuid !== null) this.seen.add(uuid, record, thread, reader);
    // The original may be read after its copy.
    if (copiedFrom !== null && !this.seen.has(copiedFrom)) {
      this.seen.add(copiedFrom, record, thread, reader);
    }
  }

  /** A copy under a uuid of its own stands where its original does. */
  seeCopy(
    { uuid, time }: SessionRecord,
    thread: Thread,
    original: RecordSpan & { readonly reader: SourceReader },
  ): void {
    if (uuid === null || this.seen.has(uuid)) return;
    this.seen.add(uuid, { origin: original, time }, thread, original.reader);
  }

  step(
    thread: Thread,
    record: SessionRecord,
    fields: Omit<StepFields, 'id' | 'evidence' | 'origin'>,
  ): Step {
    return addToThread(
      thread,
      makeStep({
        id: record.nextId(thread),
        evidence: 'logged',
        origin: record.origin,
        time: this.timeAt(record),
        ...fields,
      }),
    );
  }

  /** A point in time; without one the step is placed by order. */
  timeAt(record: SessionRecord): StepTime {
    if (record.time === null) noteMissingTime(this.issues, record.timeText, record.origin);
    return {
      startedAtNs: record.time?.ns ?? null,
      endedAtNs: null,
      startedAtText: record.time?.text ?? record.timeText,
      endedAtText: null,
      evidence: 'logged',
    };
  }
}
