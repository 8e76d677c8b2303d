import { parseJson } from '@misstep/json';
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
import {
  type ExitSecrets,
  maskStrings,
  planArguments,
  type TakeAway,
  type TakeAwayCall,
  type TakeAwayForm,
  takeAway,
} from '@misstep/replay';
import type { Store } from '@misstep/store';
import { readRecordedCall } from './replay/recorded-call.ts';
import type { ExitService } from './secrets/exit-secrets.ts';
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

export function createTakeAwayService(
  store: Store,
  values: ValueReader,
  exits: ExitService,
): TakeAwayService {
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
      const secrets = await exits.ofTarget(request.targetName);
      return withoutSecrets(secrets, request.form, {
        tool: request.tool ?? call.tool,
        argumentsText: args.value.argumentsText,
        address: target.address,
        settings: target.settings,
      });
    },
    async ofReplay(replayId, form) {
      const replay = await store.getReplay(replayId);
      const { tool, argumentsText, receipt, targetName } = replay;
      // A replay without a receipt has its target's address only as it is now.
      const target = await targetNow(targetName);
      const address = receipt?.target.address ?? target?.address;
      if (address === undefined)
        throw new MisstepError('TARGET_NOT_FOUND', `There is no target ${targetName}.`);
      const settings = target?.settings ?? NO_TARGET_SETTINGS;
      // What the server turned out to speak, where the person forced nothing.
      const protocolRevision =
        receipt?.protocolEra === 'modern' ? MODERN_REVISION : settings.protocolRevision;
      return withoutSecrets(await exits.ofReplay(replay), form, {
        tool,
        argumentsText,
        address,
        settings: { ...settings, protocolRevision },
      });
    },
  };
}

const PARTS = ['tool', 'argumentsText', 'address'] as const;
const PART_NAMES = { tool: 'tool’s name', argumentsText: 'arguments', address: 'address' };

/** The call as text without what is or was a secret of its target; what was masked is noted. */
function withoutSecrets(
  { inTexts, notChecked }: ExitSecrets,
  form: TakeAwayForm,
  call: TakeAwayCall,
): TakeAway {
  const { tool, argumentsText, address } = call;
  const clean = maskStrings({ tool, argumentsText, address }, inTexts);
  const masked = PARTS.filter(
    (part) => JSON.stringify(clean[part]) !== JSON.stringify(call[part]),
  ).map((part) => PART_NAMES[part]);
  const isBroken = masked.length > 0 && !parseJson(clean.argumentsText).ok;
  if (isBroken && parseJson(argumentsText).ok) {
    const sentence =
      'A secret of the target stands in the arguments, and without it they are no JSON, so the call can’t be given away.';
    throw new MisstepError('REQUEST_INVALID', sentence, { field: 'form' });
  }
  const notes = [
    ...(masked.length === 0
      ? []
      : [
          `A secret of the target stands in the ${masked.join(' and the ')}: put it in for (secret ...).`,
        ]),
    ...(notChecked === null ? [] : [notChecked]),
  ];
  return checked(takeAway(form, { ...call, ...clean, notes }));
}

function checked(made: Result<TakeAway, string>): TakeAway {
  if (!made.ok) {
    const hint = 'Choose a form that fits the target and the arguments.';
    throw new MisstepError('REQUEST_INVALID', made.error, { field: 'form' }, { hint });
  }
  return made.value;
}
