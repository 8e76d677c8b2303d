import type { Step, StepTime } from '@misstep/model';
import type { SourceReader } from '../../importer.ts';
import type { IssueList } from '../../record-ledger.ts';
import { makeStep, type StepFields } from '../../step-builder.ts';
import { noteMissingTime } from '../../unreadable-time.ts';
import type { SessionRecord } from './record.ts';
import { addToThread, type Thread } from './thread.ts';
import { ToolCalls } from './tool-calls.ts';

interface SeenRecord {
  readonly thread: Thread;
  readonly time: SessionRecord['time'];
  /** Where the first record of this uuid stands. A long session has hundreds of thousands: flat. */
  readonly reader: SourceReader;
  readonly offset: number;
  readonly length: number;
  /** Where further ones stand that differ; null = nowhere. MOST_COMPARED in all at most. */
  more: { reader: SourceReader; offset: number; length: number }[] | null;
}

/** A hostile file may give a million records one uuid; each would be compared with all before. */
const MOST_COMPARED = 8;

/** What is known of the whole session while its sources are read one after the other. */
export class Session {
  readonly issues: IssueList;
  readonly calls: ToolCalls;
  readonly threads: Thread[] = [];
  /** Threads of sub-agents by agent id; of sidechains without one by their root's uuid. */
  readonly threadsByKey = new Map<string, Thread>();
  /** Every record with a uuid, of every type: progress records stand in parent chains too. */
  readonly seen = new Map<string, SeenRecord>();
  /** Agent id to the id of the call that started it, from progress records. */
  readonly agentCalls = new Map<string, string>();
  sessionId: string | null = null;
  version: string | null = null;
  model: string | null = null;
  title: { text: string; rank: number } | null = null;

  constructor(issues: IssueList) {
    this.issues = issues;
    this.calls = new ToolCalls(issues);
  }

  /** Keeps a record with a uuid; of several with one uuid the first stands in parent chains. */
  see({ uuid, origin, time }: SessionRecord, thread: Thread, reader: SourceReader): void {
    if (uuid === null) return;
    const { offset, length } = origin;
    const known = this.seen.get(uuid);
    if (known === undefined) {
      this.seen.set(uuid, { thread, time, reader, offset, length, more: null });
      return;
    }
    known.more ??= [];
    if (known.more.length + 1 < MOST_COMPARED) known.more.push({ reader, offset, length });
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
