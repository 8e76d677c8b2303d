import type { CapturedValue, Origin, SourceHash, Step } from '@misstep/model';

/** There are few of each; a hostile run with a name a step shares nothing and is none the worse. */
const MOST_SHARED = 10_000;

/**
 * Steps without what only their own page shows, for what is worked out from all steps of a run:
 * where values stand and what they say is left out, and what is alike in many is there once.
 */
export class StepOutlines {
  readonly #texts = new Map<string, string>();
  readonly #values = new Map<string, CapturedValue>();
  readonly #contents = new Map<string, Step['content']>();
  readonly #origins = new Map<SourceHash, Origin>();
  readonly #pairings = new Map<string, NonNullable<Step['pairing']>>();

  of(step: Step): Step {
    const { time, kind, usage, content } = step;
    return {
      id: step.id,
      seq: step.seq,
      parentId: step.parentId === null ? null : this.#shared(step.parentId),
      kind,
      name: this.#shared(step.name),
      server: step.server === null ? null : this.#shared(step.server),
      tool: step.tool === null ? null : this.#shared(step.tool),
      callId: null,
      model: step.model === null ? null : this.#shared(step.model),
      time: {
        startedAtNs: time.startedAtNs,
        endedAtNs: time.endedAtNs,
        // That there is a text matters, not which.
        startedAtText: time.startedAtText === null ? null : '',
        endedAtText: time.endedAtText === null ? null : '',
        evidence: time.evidence,
      },
      status: step.status,
      statusReason: null,
      pairing: this.#pairing(step.pairing),
      arguments: this.#value(step.arguments),
      result: this.#value(step.result),
      content: this.#content(content),
      usage,
      recordedCostUsd: step.recordedCostUsd,
      evidence: step.evidence,
      origin: this.#origin(step.origin),
      moreOrigins: NO_ORIGINS,
      summary: step.summary,
      emptyResult: step.emptyResult,
    };
  }

  /** Ids are shared as well as names: of a parent by all of its children. */
  #shared<Text extends string>(text: Text): Text {
    const known = this.#texts.get(text);
    // What is found is the same text.
    if (known !== undefined) return known as Text;
    if (this.#texts.size >= MOST_SHARED) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }

  #content(content: Step['content']): Step['content'] {
    if (content.length === 0) return NO_CONTENT;
    const key = content.map(({ kind, value }) => `${kind} ${keyOf(value)}`).join();
    const known = this.#contents.get(key);
    if (known !== undefined) return known;
    const outline = content.map(({ kind, value }) => ({ kind, value: this.#present(value) }));
    if (this.#contents.size < MOST_SHARED) this.#contents.set(key, outline);
    return outline;
  }

  #value(value: CapturedValue | null): CapturedValue | null {
    return value === null ? null : this.#present(value);
  }

  #present(value: CapturedValue): CapturedValue {
    const key = keyOf(value);
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const outline = {
      ...value,
      origin: null,
      inlineText: null,
      elisions: value.elisions.slice(0, 1),
    };
    this.#values.set(key, outline);
    return outline;
  }

  #origin({ sha256 }: Origin): Origin {
    const known = this.#origins.get(sha256);
    if (known !== undefined) return known;
    const origin = { sha256, offset: 0, length: 0, pointer: '' };
    this.#origins.set(sha256, origin);
    return origin;
  }

  #pairing(pairing: Step['pairing']): Step['pairing'] {
    if (pairing === null) return null;
    const key = `${pairing.by} ${pairing.derived}`;
    const known = this.#pairings.get(key);
    if (known !== undefined) return known;
    this.#pairings.set(key, pairing);
    return pairing;
  }
}

function keyOf({ state, evidence, encoding, elisions }: CapturedValue): string {
  return `${state} ${evidence} ${encoding} ${elisions.length > 0}`;
}

/** Nobody adds to an outline. */
const NO_CONTENT: Step['content'] = [];
const NO_ORIGINS: Step['moreOrigins'] = [];
