/** Record types that hold bookkeeping of the client and nothing of the run. */
export const BOOKKEEPING_TYPES: ReadonlySet<string> = new Set([
  'agent-name',
  'agent-setting',
  'attribution-snapshot',
  'bridge-session',
  'content-replacement',
  'file-history-snapshot',
  'last-prompt',
  'mode',
  'permission-mode',
  'pr-link',
  'progress',
  'queue-operation',
  'tag',
  'worktree-state',
]);

/** Types whose text may name the session. */
export const TITLE_FIELDS: ReadonlyMap<string, { field: string; rank: number }> = new Map([
  ['custom-title', { field: 'customTitle', rank: 3 }],
  ['ai-title', { field: 'aiTitle', rank: 2 }],
  ['summary', { field: 'summary', rank: 1 }],
]);

/** Types that make a file a Claude Code session, beside `user` and `assistant`. */
export const SESSION_TYPES: ReadonlySet<string> = new Set([
  ...BOOKKEEPING_TYPES,
  ...TITLE_FIELDS.keys(),
  'assistant',
  'attachment',
  'system',
  'user',
]);

/** Subtypes of `system` that say nothing of what the agent did. */
export const QUIET_SYSTEM_SUBTYPES: ReadonlySet<string> = new Set([
  'away_summary',
  'bridge_status',
  'stop_hook_summary',
  'turn_duration',
]);
