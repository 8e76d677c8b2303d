import { type SignInRecord, SignInRecordSchema } from '@misstep/mcp';
import { secretBinding, type Target, type TargetName } from '@misstep/model';
import type { StoredSecret } from '@misstep/store';

export function isSignIn(secret: StoredSecret, name: TargetName): boolean {
  return secret.kind === 'oauth' && secret.targetName === name;
}

/** The sign-in of a target; null where there is none for its address as it is now. */
export function readSignIn(target: Target, kept: readonly StoredSecret[]): SignInRecord | null {
  const secret = kept.find((each) => isSignIn(each, target.name));
  if (secret === undefined || secret.boundTo !== secretBinding(target.address)) return null;
  try {
    return SignInRecordSchema.parse(JSON.parse(secret.value));
  } catch {
    // Somebody edited it: as good as none.
    return null;
  }
}

export function signInSecret(target: Target, record: SignInRecord): StoredSecret {
  return {
    targetName: target.name,
    kind: 'oauth',
    name: 'sign-in',
    boundTo: secretBinding(target.address),
    value: JSON.stringify(record),
    savedAt: new Date().toISOString(),
  };
}
