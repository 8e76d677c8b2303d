import type { GivenSecret } from '@misstep/contract';
import { EnvironmentNameSchema, HeaderNameSchema, type SecretKind } from '@misstep/model';

/** A row of the form: a name and a value that is typed blind. */
export interface SecretDraft {
  /** Tells the rows apart while their names change. */
  readonly key: number;
  readonly name: string;
  readonly value: string;
}

/** Rows in which nothing stands are no secrets; a name without a value waits for one. */
export function readSecretDrafts(drafts: readonly SecretDraft[], kind: SecretKind): GivenSecret[] {
  return drafts
    .filter(({ name, value }) => name.trim() !== '' || value !== '')
    .map(({ name, value }) => ({ kind, name: name.trim(), value: value === '' ? null : value }));
}

/** The first thing that is wrong with the names; null where all can be sent. */
export function secretProblem(drafts: readonly SecretDraft[], kind: SecretKind): string | null {
  const seen = new Set<string>();
  for (const { name } of readSecretDrafts(drafts, kind)) {
    if (name === '') return 'A value needs a name.';
    const checked = (kind === 'header' ? HeaderNameSchema : EnvironmentNameSchema).safeParse(name);
    if (!checked.success) return `"${name}": ${checked.error.issues[0]?.message ?? ''}.`;
    const same = kind === 'header' ? name.toLowerCase() : name;
    if (seen.has(same)) return `"${name}" stands twice.`;
    seen.add(same);
  }
  return null;
}

export function emptySecret(drafts: readonly SecretDraft[]): SecretDraft {
  return { key: Math.max(0, ...drafts.map(({ key }) => key)) + 1, name: '', value: '' };
}
