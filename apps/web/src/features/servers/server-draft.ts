import type { GivenSecret } from '@misstep/contract';
import {
  readTargetUrl,
  type TargetAddress,
  TargetNameSchema,
  type TargetSettings,
} from '@misstep/model';
import { readSecretDrafts, type SecretDraft, secretProblem } from './secret-draft.ts';

/** What stands in the form. */
export interface ServerDraft {
  readonly name: string;
  readonly transport: 'stdio' | 'http' | 'sse';
  readonly command: string;
  /** One argument a line, as typed. */
  readonly args: string;
  readonly folder: string;
  readonly url: string;
  readonly revision: TargetSettings['protocolRevision'];
  /** Variables of a command, or headers of a URL. */
  readonly environment: readonly SecretDraft[];
  readonly headers: readonly SecretDraft[];
}

export const EMPTY_DRAFT: ServerDraft = {
  name: '',
  transport: 'stdio',
  command: '',
  args: '',
  folder: '',
  url: '',
  revision: 'auto',
  environment: [],
  headers: [],
};

export type DraftField = 'name' | 'command' | 'url' | 'secrets';

/** Problems by field, or the address that the draft describes. */
export type DraftReading =
  | {
      readonly ok: true;
      readonly name: string;
      readonly address: TargetAddress;
      readonly secrets: readonly GivenSecret[];
    }
  | { readonly ok: false; readonly problems: Partial<Record<DraftField, string>> };

/**
 * Arguments are lines: no quoting rules, so that what is typed is what the process gets. Empty
 * lines at the end are dropped; one in between is an empty argument.
 */
export function readServerDraft(draft: ServerDraft): DraftReading {
  const problems: Partial<Record<DraftField, string>> = {};
  const name = TargetNameSchema.safeParse(draft.name.trim());
  if (draft.name.trim() === '') problems.name = 'Give it a name, e.g. invoices.';
  else if (!name.success) {
    problems.name = 'A letter or digit first, then letters, digits, ".", "_" or "-", 64 at most.';
  }
  if (draft.transport === 'stdio' && draft.command.trim() === '') {
    problems.command = 'The program that starts the server, e.g. node.';
  }
  const url = readTargetUrl(draft.url.trim());
  if (draft.transport !== 'stdio' && !url.ok) problems.url = url.error;
  const kind = draft.transport === 'stdio' ? 'environment' : 'header';
  const drafts = kind === 'environment' ? draft.environment : draft.headers;
  const wrong = secretProblem(drafts, kind);
  if (wrong !== null) problems.secrets = wrong;
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  const address: TargetAddress =
    draft.transport !== 'stdio'
      ? {
          transport: draft.transport === 'sse' ? 'sse' : 'streamable-http',
          url: url.ok ? url.value : draft.url.trim(),
        }
      : {
          transport: 'stdio',
          command: draft.command.trim(),
          args:
            draft.args.replace(/\n+$/, '') === '' ? [] : draft.args.replace(/\n+$/, '').split('\n'),
          cwd: draft.folder.trim() === '' ? null : draft.folder.trim(),
        };
  return { ok: true, name: draft.name.trim(), address, secrets: readSecretDrafts(drafts, kind) };
}
