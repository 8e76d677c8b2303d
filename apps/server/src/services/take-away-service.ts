import {
  MisstepError,
  type Result,
  type RunId,
  type StepId,
  type TargetName,
  type Ulid,
} from '@misstep/model';
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
  /** The call as a replay sent it, to the address that it was sent to. */
  ofReplay(replayId: Ulid, form: TakeAwayForm): Promise<TakeAway>;
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
      return checked(made);
    },
    async ofReplay(replayId, form) {
      const { tool, argumentsText, receipt, targetName } = await store.getReplay(replayId);
      // A replay without a receipt has its target's address only as it is now.
      const { address } = receipt?.target ?? (await store.getTarget(targetName));
      return checked(takeAway(form, { tool, argumentsText, address }));
    },
  };
}

function checked(made: Result<TakeAway, string>): TakeAway {
  if (!made.ok) throw new MisstepError('REQUEST_INVALID', made.error, { field: 'form' });
  return made.value;
}
