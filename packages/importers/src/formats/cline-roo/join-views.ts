import type { Origin, Step, StepId } from '@misstep/model';
import { addOrigin } from '../../run-writer.ts';

/** What one file tells of a task. */
export interface TaskView {
  readonly steps: readonly Step[];
}

export interface ScreenView extends TaskView {
  /** Of model calls: how many messages the history had when the request was begun, less one. */
  readonly historyIndexes: ReadonlyMap<Step, number>;
}

export interface JoinedViews {
  readonly steps: Step[];
  /** Requests whose rows don't say which message answers them. */
  readonly matchedByOrder: number;
}

const MESSAGE = /^(?:\/messages)?\/(\d+)$/;

/**
 * One run of the two files of a task: the history's steps, each with the times, tokens and answers that
 * the screen's rows have of it; rows that the history has nothing of stand where they stood.
 */
export function joinViews(history: TaskView, screen: ScreenView): JoinedViews {
  const joiner = new Joiner(history, screen);
  return { steps: joiner.join(), matchedByOrder: joiner.matchedByOrder };
}

class Joiner {
  matchedByOrder = 0;
  readonly #history: TaskView;
  readonly #screen: ScreenView;
  /** Steps of each message of the history, by its index. */
  readonly #messages = new Map<number, Step[]>();
  /** Messages with a model call that no request has taken so far, in order. */
  readonly #replies: number[] = [];
  readonly #users: Step[];
  /** The last request that was begun when the history had so many messages. */
  readonly #lastRequests: ReadonlyMap<number, Step>;
  /** Steps of the screen that are further views of steps of the history. */
  readonly #folded = new Map<StepId, Step>();

  constructor(history: TaskView, screen: ScreenView) {
    this.#history = history;
    this.#screen = screen;
    for (const step of history.steps) {
      const index = messageOf(step.origin);
      if (index === null) continue;
      this.#messages.set(index, [...(this.#messages.get(index) ?? []), step]);
    }
    for (const [index, steps] of this.#messages) {
      if (steps.some(({ kind }) => kind === 'model')) this.#replies.push(index);
    }
    const requests = screen.steps.flatMap((row) => {
      const before = screen.historyIndexes.get(row);
      return before === undefined ? [] : [[before, row] as const];
    });
    this.#lastRequests = new Map(requests);
    this.#users = history.steps.filter(({ kind }) => kind === 'user');
  }

  join(): Step[] {
    /** Rows without a view in the history, by the step of the history that they come after. */
    const after = new Map<Step | null, Step[]>();
    let last: Step | null = null;
    let calls: Step[] = [];
    for (const row of this.#screen.steps) {
      let match: Step | null = null;
      if (row.kind === 'model') {
        const reply = this.#replyTo(row);
        match = reply?.find(({ kind }) => kind === 'model') ?? null;
        calls = reply?.filter(({ pairing }) => pairing !== null) ?? [];
      } else if (row.kind === 'user') {
        match = this.#takeUser(row);
      } else if (row.pairing !== null) {
        match = fits(calls[0], row) ? (calls.shift() ?? null) : null;
      }
      if (match === null) after.set(last, [...(after.get(last) ?? []), row]);
      else {
        fold(match, row);
        this.#folded.set(row.id, match);
        last = match;
      }
    }
    return this.#inOrder(after);
  }

  /** Where the row says which messages there were, the second after them: what is sent, and its answer. */
  #replyTo(row: Step): Step[] | null {
    const before = this.#screen.historyIndexes.get(row);
    if (before === undefined) {
      if (row.status === 'interrupted') return null;
      const next = this.#replies.shift();
      if (next === undefined) return null;
      this.matchedByOrder += 1;
      return this.#messages.get(next) ?? null;
    }
    const at = this.#replies.indexOf(before + 2);
    // A request that failed left nothing in the history: the one that was sent again has its place.
    if (at < 0 || this.#lastRequests.get(before) !== row) return null;
    this.#replies.splice(0, at + 1);
    return this.#messages.get(before + 2) ?? null;
  }

  #takeUser(row: Step): Step | null {
    const at = this.#users.findIndex(({ summary }) => summary === row.summary);
    if (at < 0) return null;
    const [match] = this.#users.splice(0, at + 1).slice(-1);
    return match ?? null;
  }

  #inOrder(after: ReadonlyMap<Step | null, readonly Step[]>): Step[] {
    const rowsAfter = (step: Step | null): readonly Step[] => after.get(step) ?? [];
    for (const row of [...after.values()].flat()) {
      const parent = row.parentId === null ? undefined : this.#folded.get(row.parentId);
      if (parent !== undefined) row.parentId = parent.id;
    }
    const rest = this.#history.steps.flatMap((step) => [step, ...rowsAfter(step)]);
    return [...rowsAfter(null), ...rest];
  }
}

/** Calls of a server and commands are told apart from the client's own tools in both files. */
function fits(call: Step | undefined, row: Step): boolean {
  if (call === undefined) return false;
  if (row.server !== null || call.server !== null) {
    return row.server === call.server && row.tool === call.tool;
  }
  return (row.tool === 'execute_command') === (call.tool === 'execute_command');
}

/** What the row has and the history's step hasn't. Tokens are those of one of the two, never a sum. */
function fold(step: Step, row: Step): void {
  for (const origin of [row.origin, ...row.moreOrigins]) addOrigin(step, origin);
  step.usage ??= row.usage;
  step.model ??= row.model;
  const { time } = row;
  if (time.startedAtText !== null) {
    step.time = {
      ...time,
      endedAtNs: time.endedAtNs ?? step.time.endedAtNs,
      endedAtText: time.endedAtText ?? step.time.endedAtText,
    };
  }
  const isAnswered = row.status !== 'unanswered' && row.status !== 'unknown';
  if (step.status === 'unanswered' && row.pairing !== null && isAnswered) {
    step.status = row.status;
    step.statusReason = row.statusReason;
    step.result = row.result;
    step.emptyResult = row.emptyResult;
    step.pairing = row.pairing;
  }
}

function messageOf({ pointer }: Origin): number | null {
  const index = MESSAGE.exec(pointer)?.[1];
  return index === undefined ? null : Number(index);
}
