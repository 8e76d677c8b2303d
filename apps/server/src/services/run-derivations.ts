import { auditRecording } from '@misstep/diagnosis';
import {
  activeTimeOf,
  buildSkeleton,
  isFailedCall,
  type PriceFinder,
  type RecordingAudit,
  RetryGroups,
  type RunId,
  type Skeleton,
  type Step,
  type StepId,
} from '@misstep/model';
import type { Store, StoredRunDetail } from '@misstep/store';
import type { PriceService } from './price-service.ts';
import { StepOutlines } from './step-outlines.ts';
import type { ValueReader } from './value-reader.ts';

const MAX_RUNS = 4;

export interface RunDerivation {
  readonly skeleton: Skeleton;
  /** Nanoseconds in which something was going on; null = no times. */
  readonly activeNs: number | null;
  readonly audit: RecordingAudit;
}

/**
 * What takes all steps of a run to work out, kept for the runs that were looked at last: a page
 * asks for the run again after every mark. A run that was read anew is worked out anew.
 */
export class RunDerivations {
  readonly #store: Store;
  readonly #values: ValueReader;
  readonly #prices: PriceService;
  readonly #known = new Map<
    RunId,
    { version: string; prices: PriceFinder; derivation: Promise<RunDerivation> }
  >();

  constructor(store: Store, values: ValueReader, prices: PriceService) {
    this.#store = store;
    this.#values = values;
    this.#prices = prices;
  }

  async of(stored: StoredRunDetail): Promise<RunDerivation> {
    const { id } = stored.run;
    const version = versionOf(stored);
    // The same object as long as no price was changed.
    const prices = await this.#prices.finder();
    const known = this.#known.get(id);
    const isKnown = known?.version === version && known.prices === prices;
    const derivation = isKnown ? known.derivation : this.#derive(stored, prices);
    // Put last again: the first of a map is then the one that was used longest ago.
    this.#known.delete(id);
    this.#known.set(id, { version, prices, derivation });
    derivation.catch(() => this.#known.delete(id));
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_RUNS && oldest !== undefined) this.#known.delete(oldest);
    return derivation;
  }

  async #derive({ run, frameCount }: StoredRunDetail, prices: PriceFinder): Promise<RunDerivation> {
    const outlines = new StepOutlines();
    let retries = new RetryGroups();
    const keep = (step: Step): Step => {
      // All of them come again where the run was read anew in the middle.
      if (step.seq === 1) retries = new RetryGroups();
      retries.add(step);
      return outlines.of(step);
    };
    const [steps, tools] = await Promise.all([
      this.#store.listSteps(run.id, keep),
      this.#store.listTools(run.id),
    ]);
    const skeleton = buildSkeleton(run, steps, await findRetries(retries, this.#values));
    const { id: runId, clock, recordedCostUsd } = run;
    const audit = auditRecording({
      runId,
      steps,
      tools,
      frameCount,
      clock,
      prices,
      recordedCostUsd,
    });
    return { skeleton, activeNs: activeTimeOf(steps), audit };
  }
}

/** Changes whenever the run's steps may have: another reading has other sources, or another time. */
function versionOf({ run, importedAt, sources }: StoredRunDetail): string {
  const { format, stepCount, startedAtNs, endedAtNs } = run;
  return JSON.stringify([
    importedAt,
    format,
    stepCount,
    String(startedAtNs),
    String(endedAtNs),
    sources.map(({ sha256 }) => sha256),
  ]);
}

/** Steps whose arguments are byte for byte those of a call before them that failed. */
async function findRetries(
  retries: RetryGroups,
  values: ValueReader,
): Promise<ReadonlySet<StepId>> {
  const retried = new Set<StepId>();
  for (const group of retries.list()) {
    const failed = new Set<string | null>();
    for (const step of group) {
      const text = await values.wholeText(step.arguments);
      if (failed.has(text)) retried.add(step.id);
      if (isFailedCall(step)) failed.add(text);
    }
  }
  return retried;
}
