import { SetAside } from '../../record-ledger.ts';

const SETTING = new SetAside('a setting of the client');
const LINK = new SetAside('where the session is shown or published');
const FILES = new SetAside('a snapshot of files, kept to undo edits');

/** Record types that hold bookkeeping of the client and nothing of the run. */
export const BOOKKEEPING_TYPES: ReadonlyMap<string, SetAside> = new Map([
  ['agent-name', SETTING],
  ['agent-setting', SETTING],
  ['attribution-snapshot', FILES],
  ['bridge-session', LINK],
  ['content-replacement', new SetAside('what the client put in place of a long text')],
  ['file-history-snapshot', FILES],
  ['last-prompt', new SetAside('the last prompt again, for the list of sessions')],
  ['mode', SETTING],
  ['permission-mode', SETTING],
  ['pr-link', LINK],
  ['progress', new SetAside('progress of a call, whose result stands in a record of its own')],
  ['queue-operation', new SetAside('a notice that a prompt waits or is taken up')],
  ['tag', SETTING],
  ['worktree-state', SETTING],
]);

/** Types whose text may name the session. */
export const TITLE_FIELDS: ReadonlyMap<string, { field: string; rank: number }> = new Map([
  ['custom-title', { field: 'customTitle', rank: 3 }],
  ['ai-title', { field: 'aiTitle', rank: 2 }],
  ['summary', { field: 'summary', rank: 1 }],
]);

/** Types that make a file a Claude Code session, beside `user` and `assistant`. */
export const SESSION_TYPES: ReadonlySet<string> = new Set([
  ...BOOKKEEPING_TYPES.keys(),
  ...TITLE_FIELDS.keys(),
  'assistant',
  'attachment',
  'system',
  'user',
]);

/** Subtypes of `system` that say nothing of what the agent did. */
export const QUIET_SYSTEM_SUBTYPES: ReadonlyMap<string, SetAside> = new Map([
  ['away_summary', new SetAside('a summary for the person who was away')],
  ['bridge_status', LINK],
  ['stop_hook_summary', new SetAside('which hooks ran at the end of a turn')],
  ['turn_duration', new SetAside('how long a turn took, which its records tell')],
]);

/** Attachments that are no part of the conversation: what hooks printed, and what the client added. */
export const HOOK_PASSED = new SetAside('what a hook printed that passed');
export const QUIET_ATTACHMENT = new SetAside(
  'what the client attached: lists of skills and tools, reminders, files',
);
export const OTHER_TITLE = new SetAside(
  'a title of another session, or one that a better one replaces',
);
