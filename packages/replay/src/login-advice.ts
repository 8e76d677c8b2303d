import type { Target } from '@misstep/model';

/** What to do where an HTTP server refuses for want of a login; '' for every other status. */
export function adviseLogin(status: number, { name, settings }: Target): string {
  if (status !== 401 && status !== 403) return '';
  const { usesOAuth, headerNames } = settings;
  const hasOwn = headerNames.some((header) => header.toLowerCase() === 'authorization');
  if (usesOAuth && !hasOwn) {
    const why =
      status === 401
        ? 'It no longer accepts the sign-in.'
        : 'It accepts the sign-in, but not for this.';
    return `${why} Sign in again on the servers screen or with: misstep target sign-in ${name}`;
  }
  if (hasOwn) {
    return `It does not accept the Authorization header of this target. Give it anew on the servers screen or with: misstep target set ${name} --header Authorization`;
  }
  if (headerNames.length > 0) {
    return `It does not take the login that this target sends (${headerNames.join(', ')}): a token may have expired. Give it anew on the servers screen or with: misstep target set ${name} --header ${headerNames[0]}`;
  }
  return `It asks for a login, which this target does not have. Sign in on the servers screen or with: misstep target sign-in ${name}`;
}
