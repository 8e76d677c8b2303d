import type { Replay, ReplayEvent, ReplayFrame, ServerAsk } from '@misstep/model';
import type { AskDesk } from '@misstep/replay';
import type { NewReplay } from '@misstep/store';
import { shownAsks } from './shown-asks.ts';
import { shownRecords } from './shown-records.ts';

/** A replay that this process is sending. */
export class LiveReplay {
  readonly record: NewReplay;
  readonly controller = new AbortController();
  readonly frames: ReplayFrame[] = [];
  readonly events: ReplayEvent[] = [];
  readonly desk: AskDesk;
  asks: readonly ServerAsk[] = [];
  asksOmitted = 0;
  state: 'connecting' | 'waiting' = 'connecting';
  /** Settles when it has ended and is stored; rejects with a refusal, when nothing is stored. */
  settled: Promise<void> = Promise.resolve();
  /** True once whoever started it was told of it: from then on its record stays. */
  acknowledged = false;
  /** Called when the state changes. */
  onNews: () => void = () => undefined;
  /** Called when an ask has come or changed. */
  onAsks: (asks: readonly ServerAsk[]) => void = () => undefined;

  constructor(record: NewReplay, desk: AskDesk) {
    this.record = record;
    this.desk = desk;
  }

  view(): Replay {
    const { id, runId, stepId, targetName, tool, argumentsText, startedAt } = this.record;
    return {
      id,
      runId,
      stepId,
      state: this.state,
      targetName,
      tool,
      argumentsText,
      startedAt,
      ...shownRecords(this.frames, this.events),
      ...shownAsks(this.asks, this.asksOmitted),
      outcome: null,
      outcomeSentence: null,
      receipt: null,
      comparison: null,
    };
  }
}
