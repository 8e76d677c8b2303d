export { type AuditInput, auditRecording } from './audit-recording.ts';
export {
  type CallPair,
  type CallToPair,
  type PairedCalls,
  pairCalls,
  remarkOfPair,
} from './pair-calls.ts';
