import type { Step } from '@misstep/model';

/** A rollout writes texts on two channels: as items for the model, and as events for the screen. */
export type Channel = 'item' | 'event';

interface Echo {
  readonly key: string;
  readonly channel: Channel;
  readonly step: Step;
}

/** The two writings of a text stand near each other; further apart it was said twice. */
const MOST_WAITING = 24;

/** Finds the second writing of a text that was already read from the other channel. */
export class Echoes {
  #waiting: Echo[] = [];

  /** The step that this text already belongs to; it is then matched and forgotten. */
  take(channel: Channel, kind: string, text: string): Step | null {
    const key = `${kind} ${text.trim()}`;
    const index = this.#waiting.findIndex((echo) => echo.channel !== channel && echo.key === key);
    if (index < 0) return null;
    const [echo] = this.#waiting.splice(index, 1);
    return echo?.step ?? null;
  }

  add(channel: Channel, kind: string, text: string, step: Step): void {
    this.#waiting.push({ key: `${kind} ${text.trim()}`, channel, step });
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
  }
}
