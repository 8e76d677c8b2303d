import type { TargetView } from '@misstep/contract';
import { datePartsOfInstant, formatDateParts } from '../../ui/format-time.ts';

export const TRANSPORT_WORDS = {
  stdio: 'stdio',
  'streamable-http': 'http',
  sse: 'http+sse',
} as const;

/** What is known of a server besides its command, on one line. */
export function factsOf(target: TargetView): string {
  const now = new Date().getFullYear();
  const day = (iso: string) => formatDateParts(datePartsOfInstant(Date.parse(iso)), now);
  const { address, settings, confirmedAt } = target;
  const facts = [`added ${day(target.createdAt)}`];
  if (settings.importedFrom !== null) {
    facts.push(`read from ${settings.importedFrom.path}, entry ${settings.importedFrom.entry}`);
  }
  if (confirmedAt !== null) facts.push(`confirmed ${day(confirmedAt)}`);
  if (address.transport === 'stdio') {
    facts.push(
      address.cwd === null ? 'runs in an empty folder of its own' : `runs in ${address.cwd}`,
    );
  }
  return facts.join(', ');
}

/** Values that lack: without them nothing can be sent. */
export function lackingValues(target: TargetView): string[] {
  return target.secrets.filter(({ state }) => state !== 'set').map(({ name }) => name);
}

/** True where values go over the network in the open. */
export function goesUnencrypted({ address, settings, signIn }: TargetView): boolean {
  if (address.transport === 'stdio' || !URL.canParse(address.url)) return false;
  const { protocol, hostname } = new URL(address.url);
  const isHere = hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
  const hasValues = settings.headerNames.length > 0 || signIn.state === 'signedIn';
  return protocol === 'http:' && !isHere && hasValues;
}
