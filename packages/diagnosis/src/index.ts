export { type AuditInput, auditRecording } from './audit-recording.ts';
