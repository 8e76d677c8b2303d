import type { TargetView } from '@misstep/contract';

/** How a server is signed in to, in one sentence. */
export function signInWords(target: TargetView): string {
  const { state, authority } = target.signIn;
  if (hasOwnAuthorization(target)) return 'the Authorization header is used in its place';
  if (target.confirmedAt === null) return 'confirm the URL first: a sign-in connects to it';
  switch (state) {
    case 'signedOut':
      return 'for servers that ask for OAuth; opens a tab of their authorization server';
    case 'waiting':
      return 'waiting for you to come back from the authorization server';
    case 'signedIn':
      return `signed in at ${authority ?? 'its authorization server'}`;
    case 'expired':
      return 'the sign-in has expired';
    case 'otherAddress':
      return 'the sign-in was for another address';
  }
}

/** True where the person gave that header themselves. */
export function hasOwnAuthorization({ settings }: TargetView): boolean {
  return settings.headerNames.some((name) => name.toLowerCase() === 'authorization');
}
