import { MisstepError, type RunId, type StepId, type TargetName } from '@misstep/model';
import { planArguments, type TakeAway, type TakeAwayForm, takeAway } from '@misstep/replay';
import type { Store } from '@misstep/store';
import { readRecordedCall } from './replay/recorded-call.ts';
import type { ValueReader } from './value-reader.ts';

export interface TakeAwayRequest {
  readonly form: TakeAwayForm;
  readonly runId: RunId;
  readonly stepId: StepId;
  readonly targetName: TargetName;
  /** Null = as recorded. */
  readonly argumentsText: string | null;
  readonly tool: string | null;
}

export interface TakeAwayService {
  /** REPLAY_REFUSED where the arguments aren't there, REQUEST_INVALID where the form doesn't fit. */
  make(request: TakeAwayRequest): Promise<TakeAway>;
}

export function createTakeAwayService(store: Store, values: ValueReader): TakeAwayService {
  return {
    async make(request) {
      const target = await store.getTarget(request.targetName);
      const call = await readRecordedCall(store, values, request.runId, request.stepId);
      const args = planArguments(call, request.argumentsText);
      if (!args.ok) {
        const { reason, sentence } = args.error;
        throw new MisstepError('REPLAY_REFUSED', sentence, { reason, sentence });
      }
      const made = takeAway(request.form, {
        tool: request.tool ?? call.tool,
        argumentsText: args.value.argumentsText,
        address: target.address,
      });
      if (!made.ok) throw new MisstepError('REQUEST_INVALID', made.error, { field: 'form' });
      return made.value;
    },
  };
}
