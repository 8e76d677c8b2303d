/** What a record of type `user` with text in it really is. */
export type UserTextKind = 'prompt' | 'interrupted' | 'note';

interface PseudoUser {
  readonly pattern: RegExp;
  readonly name: string;
}

/** Text that the client writes in the user's name; the person never typed it. */
const PSEUDO_USERS: readonly PseudoUser[] = [
  { pattern: /^<command-(name|message|args)>/, name: 'Command' },
  { pattern: /^<local-command-(stdout|stderr|caveat)>/, name: 'Command output' },
  { pattern: /^Caveat: The messages below/, name: 'Client caveat' },
  { pattern: /^<bash-input>/, name: 'Shell command' },
  { pattern: /^<bash-(stdout|stderr)>/, name: 'Shell output' },
  { pattern: /^<system-reminder>/, name: 'System reminder' },
  { pattern: /^<task-notification>/, name: 'Task notification' },
  { pattern: /^<teammate-message/, name: 'Teammate message' },
  { pattern: /^<user-prompt-submit-hook>/, name: 'Hook output' },
];

const CONTEXT_TAG =
  /<(ide_opened_file|ide_selection|ide_diagnostics|system-reminder)>[\s\S]*?<\/\1>/g;

export function classifyUserText(text: string): { kind: UserTextKind; name: string } {
  const trimmed = text.trimStart();
  if (trimmed.startsWith('[Request interrupted by user')) {
    return { kind: 'interrupted', name: 'Interrupted by the user' };
  }
  // A prompt may follow what the editor put in front of it.
  if (typedText(text) !== '') {
    const known = PSEUDO_USERS.find(({ pattern }) => pattern.test(trimmed));
    if (known === undefined || known.name === 'System reminder') {
      return { kind: 'prompt', name: 'User turn' };
    }
    return { kind: 'note', name: known.name };
  }
  const reminder = trimmed.startsWith('<system-reminder>');
  return { kind: 'note', name: reminder ? 'System reminder' : 'Editor context' };
}

/** What is left of a prompt without the editor's and the client's tags. */
export function typedText(text: string): string {
  return text.includes('<') ? text.replace(CONTEXT_TAG, '').trim() : text.trim();
}
