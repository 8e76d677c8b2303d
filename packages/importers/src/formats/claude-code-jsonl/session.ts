import type { Step, StepTime } from '@misstep/model';
import { counted, type IssueList } from '../../record-ledger.ts';
import { makeStep, type StepFields } from '../../step-builder.ts';
import type { SessionRecord } from './record.ts';
import { addToThread, type Thread } from './thread.ts';
import { ToolCalls } from './tool-calls.ts';

interface SeenRecord {
  readonly thread: Thread;
  readonly time: SessionRecord['time'];
}

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
    if (record.time === null) this.#missingTime(record);
    return {
      startedAtNs: record.time?.ns ?? null,
      endedAtNs: null,
      startedAtText: record.time?.text ?? null,
      endedAtText: null,
      evidence: 'logged',
    };
  }

  #missingTime({ origin }: SessionRecord): void {
    this.issues.count(
      'TIME_MISSING',
      (count) => `${counted(count, 'step')} without a readable timestamp, placed by order only.`,
      origin.sha256,
      origin.offset,
    );
  }
}
