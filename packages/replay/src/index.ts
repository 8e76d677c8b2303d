export { nearestNames } from './nearest-names.ts';
export { checkListedTool, planReplay, type ReplayPlan, recordedArguments } from './policy.ts';
export { createReceipt, type ReceiptFacts, sha256 } from './receipt.ts';
export {
  MisstepStopped,
  type RecordedCall,
  type ReplayCall,
  type ReplayEnding,
  type ReplayRefusal,
  type ReplayRequest,
} from './replay-call.ts';
export { FRAME_TEXT_CAP_BYTES, type ReplayItem, ReplayView, readReplayLog } from './replay-view.ts';
export { type CompareResults, createReplayCall } from './run-replay.ts';
export { createUlid } from './ulid.ts';
