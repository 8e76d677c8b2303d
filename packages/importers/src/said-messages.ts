import type { Step } from '@misstep/model';

/** One message of a conversation, as it was told first. */
export interface SaidMessage {
  /** What it says, whatever form it has. */
  readonly print: string;
  /** The step that tells it, where it has one of its own. */
  readonly step: Step | null;
  /** Steps of the calls that it asks for. */
  readonly calls: readonly Step[];
  /** True for an answer that was recorded itself, not only repeated by a later request. */
  isRecorded: boolean;
}

/** Where the messages of a request lead: behind the first `known` of a branch. */
export interface SaidPlace {
  readonly branch: SaidMessage[];
  /** How many of the request's messages are known. */
  readonly known: number;
}

/** Of very many answers to one question those are kept that came last. */
const MOST_BRANCHES = 64;

/**
 * What has been said in one conversation, message by message. Where a question is asked again and
 * answered otherwise, the conversation has a further branch: the next request repeats either answer.
 */
export class SaidMessages {
  readonly #branches: SaidMessage[][] = [[]];

  /** Where these messages lead: on from all of a branch, or into one. Null where they say something else. */
  find(prints: readonly string[]): SaidPlace | null {
    let best: SaidPlace | null = null;
    for (const branch of this.#branches) {
      const length = Math.min(branch.length, prints.length);
      if (length === 0) continue;
      let same = 0;
      while (same < length && branch[same]?.print === prints[same]) same += 1;
      if (same < length) continue;
      if (best === null || branch.length > best.branch.length) best = { branch, known: length };
    }
    return best;
  }

  /** The end of what was said last. */
  end(): SaidPlace {
    return { branch: this.#branches.at(-1) ?? [], known: 0 };
  }

  /** Another answer to the first `length` messages of a branch. */
  fork(branch: readonly SaidMessage[], length: number): SaidMessage[] {
    const fork = branch.slice(0, length);
    this.#branches.push(fork);
    if (this.#branches.length > MOST_BRANCHES) this.#branches.shift();
    return fork;
  }

  /** What was said before is a summary now, which comes first. */
  restart(): SaidPlace {
    const branch: SaidMessage[] = [];
    this.#branches.splice(0, this.#branches.length, branch);
    return { branch, known: 0 };
  }
}

/** The call that a result before place `end` answers: mostly one of the message before. */
export function callBefore(
  branch: readonly SaidMessage[],
  end: number,
  callId: string | null,
): Step | null {
  for (let at = end - 1; callId !== null && at >= 0; at -= 1) {
    const call = branch[at]?.calls.find((step) => step.callId === callId);
    if (call !== undefined) return call;
  }
  return null;
}
