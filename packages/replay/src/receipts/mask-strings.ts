import { knownSecrets, maskSecrets, type SecretSource } from '@misstep/mcp';

/**
 * A value of ours (an experiment, a part of a receipt) with every string in it masked as it must be
 * before it leaves. Only for Misstep's own envelopes: plain, shallow, their numbers small.
 */
export function maskStrings<Value>(value: Value, secrets: SecretSource | undefined): Value {
  if (secrets === undefined || knownSecrets(secrets).length === 0) return value;
  const masked: unknown = JSON.parse(JSON.stringify(value), (_key, each: unknown) =>
    typeof each === 'string' ? maskSecrets(each, secrets) : each,
  );
  // Nothing but the contents of strings has changed.
  return masked as Value;
}
