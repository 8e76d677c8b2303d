import { MODERN_REVISION } from '@misstep/mcp';
import {
  isMisstepError,
  MisstepError,
  NO_TARGET_SETTINGS,
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
  /** Null where it was removed since: its headers and environment are known no more. */
  const targetNow = (name: TargetName) =>
    store.getTarget(name).catch((error: unknown) => {
      if (isMisstepError(error) && error.code === 'TARGET_NOT_FOUND') return null;
      throw error;
    });
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
        settings: target.settings,
      });
      return checked(made);
    },
    async ofReplay(replayId, form) {
      const { tool, argumentsText, receipt, targetName } = await store.getReplay(replayId);
      // A replay without a receipt has its target's address only as it is now.
      const target = await targetNow(targetName);
      const address = receipt?.target.address ?? target?.address;
      if (address === undefined)
        throw new MisstepError('TARGET_NOT_FOUND', `There is no target ${targetName}.`);
      const settings = target?.settings ?? NO_TARGET_SETTINGS;
      // What the server turned out to speak, where the person forced nothing.
      const protocolRevision =
        receipt?.protocolEra === 'modern' ? MODERN_REVISION : settings.protocolRevision;
      return checked(
        takeAway(form, {
          tool,
          argumentsText,
          address,
          settings: { ...settings, protocolRevision },
        }),
      );
    },
  };
}

function checked(made: Result<TakeAway, string>): TakeAway {
  if (!made.ok) {
    const hint = 'Choose a form that fits the target and the arguments.';
    throw new MisstepError('REQUEST_INVALID', made.error, { field: 'form' }, { hint });
  }
  return made.value;
}
