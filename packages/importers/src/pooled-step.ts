import type { Step } from '@misstep/model';
import { ownText } from './own-text.ts';
import type { StepBody } from './packed-step.ts';
import type { Page, PagePool } from './page-pool.ts';

/** Replaced as a whole where they change. */
const PLAIN = [
  'kind',
  'name',
  'server',
  'tool',
  'callId',
  'model',
  'status',
  'statusReason',
  'evidence',
  'summary',
  'emptyResult',
  'recordedCostUsd',
] as const satisfies readonly (keyof StepBody)[];

/** May be changed within by whoever takes them. */
const NESTED = [
  'time',
  'pairing',
  'arguments',
  'result',
  'content',
  'usage',
  'origin',
  'moreOrigins',
] as const satisfies readonly (keyof StepBody)[];

/** Fails to compile where a field of a step stands in neither list. */
type Listed = (typeof PLAIN)[number] | (typeof NESTED)[number];
const NONE_IS_MISSING: Exclude<keyof StepBody, Listed> extends never ? true : never = true;

/** A step whose body comes and goes with its page; what puts steps in order stays. */
class PooledStep {
  id: Step['id'];
  parentId: Step['parentId'];
  seq: number;
  readonly #page: Page<StepBody>;
  readonly #slot: number;

  constructor(step: Step, page: Page<StepBody>, slot: number) {
    this.id = step.id;
    this.parentId = step.parentId;
    this.seq = step.seq;
    this.#page = page;
    this.#slot = slot;
  }

  static {
    const define = (key: Listed, isNested: boolean): void => {
      Object.defineProperty(PooledStep.prototype, key, {
        get(this: PooledStep): unknown {
          const body = isNested ? this.#page.change(this.#slot) : this.#page.read(this.#slot);
          return body[key];
        },
        set(this: PooledStep, value: unknown): void {
          const own = typeof value === 'string' ? ownText(value) : value;
          Reflect.set(this.#page.change(this.#slot), key, own);
        },
      });
    };
    for (const key of PLAIN) define(key, false);
    for (const key of NESTED) define(key, true);
  }

  static timeOf(step: Step): Readonly<Step['time']> {
    if (!(#page in step)) return step.time;
    // It is one of ours, which the type of a step hides.
    const pooled = step as unknown as PooledStep;
    return pooled.#page.read(pooled.#slot).time;
  }
}

/** The step, with its body in the pool. */
export function pooledStep(pool: PagePool<StepBody>, step: Step): Step {
  const { id: _id, parentId: _parentId, seq: _seq, ...body } = step;
  ownTexts(body);
  const { page, slot } = pool.hold(body);
  // The accessors that the class defines make up the fields that its type lacks.
  return NONE_IS_MISSING && (new PooledStep(step, page, slot) as unknown as Step);
}

/** Thousands of steps are at hand: none may keep the record that its texts were cut out of. */
function ownTexts(body: StepBody): void {
  for (const key of PLAIN) {
    const text = body[key];
    if (typeof text === 'string') Reflect.set(body, key, ownText(text));
  }
  const { time } = body;
  if (time.startedAtText !== null) time.startedAtText = ownText(time.startedAtText);
  if (time.endedAtText !== null) time.endedAtText = ownText(time.endedAtText);
}

/** When the step started, without taking anything from it that could be changed. */
export function startOf(step: Step): bigint | null {
  return PooledStep.timeOf(step).startedAtNs;
}

/** True where both ends of a step are recorded and the end comes first. */
export function endsBeforeStart(step: Step): boolean {
  const { startedAtNs, endedAtNs } = PooledStep.timeOf(step);
  return startedAtNs !== null && endedAtNs !== null && endedAtNs < startedAtNs;
}
