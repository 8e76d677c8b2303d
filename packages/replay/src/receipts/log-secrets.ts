import {
  findCutSecrets,
  findSecretsInTurns,
  type KnownSecret,
  knownSecrets,
  mergePlaces,
  type SecretPlace,
  type SecretSource,
} from '@misstep/mcp';
import {
  type FrameLogEntry,
  type KeptPlaces,
  readFrameLog,
  type SecretPlaces,
  type TargetAddress,
} from '@misstep/model';
import { LEFT_OUT, searchedInAddress } from './address-secrets.ts';

export type LogPlaces = NonNullable<KeptPlaces['log']>;

/** Bytes that are searched as one although they stand in several records. */
interface Stretch {
  readonly entries: readonly FrameLogEntry[];
  /** Between two of them, where the transport had it: stdio frames are lines. */
  readonly delimiter: string;
  readonly isCut: { readonly atStart: boolean; readonly atEnd: boolean };
}

const NOT_CUT = { atStart: false, atEnd: false };

/**
 * Where in a frame log the secrets stand that its connection was given, and in stderr and events
 * what looks like one in the target's address: found when it is captured, while the values are
 * known. It holds places and names, no value.
 */
export async function findLogSecrets(
  frameLog: Uint8Array,
  secrets: SecretSource,
  address: TargetAddress,
): Promise<LogPlaces> {
  const known = knownSecrets(secrets);
  const inAddress = searchedInAddress(address).map((value) => ({ value, mask: LEFT_OUT }));
  const masks = new Set<string>();
  const places: SecretPlaces['places'] = [];
  if (known.length + inAddress.length > 0) {
    const everywhere: readonly KnownSecret[] = known;
    // Messages keep what merely looks like a secret: their hashes are what a receipt is for.
    const aside: readonly KnownSecret[] = [...known, ...inAddress];
    for (const stretch of stretchesOf(readFrameLog(frameLog).entries, known)) {
      const { lane } = stretch.entries[0] ?? { lane: '#' };
      const source = lane === '>' || lane === '<' ? everywhere : aside;
      await addPlaces(places, masks, stretch, source);
    }
  }
  places.sort(([a], [b]) => a - b);
  return { sizeBytes: frameLog.length, masks: [...masks], places };
}

async function addPlaces(
  places: SecretPlaces['places'],
  masks: Set<string>,
  { entries, delimiter, isCut }: Stretch,
  secrets: readonly KnownSecret[],
): Promise<void> {
  const bytes = joined(entries, delimiter);
  const found = mergePlaces(
    await findSecretsInTurns(bytes, secrets),
    findCutSecrets(bytes, secrets, isCut),
  );
  for (const place of found) {
    masks.add(place.mask);
    const mask = [...masks].indexOf(place.mask);
    for (const [index, [offset, length]] of inRecords(place, entries, delimiter).entries()) {
      places.push([offset, length, index === 0 ? mask : -1]);
    }
  }
}

function joined(entries: readonly FrameLogEntry[], delimiter: string): Uint8Array {
  const [only] = entries;
  if (only !== undefined && entries.length === 1) return only.payload;
  const between = Buffer.from(delimiter);
  return Buffer.concat(
    entries.flatMap(({ payload }, at) => (at === 0 ? [payload] : [between, payload])),
  );
}

/** A place of the stretch as places of the log, one for each record that holds some of it. */
function inRecords(
  { offset, length }: SecretPlace,
  entries: readonly FrameLogEntry[],
  delimiter: string,
): [number, number][] {
  const found: [number, number][] = [];
  let startsAt = 0;
  for (const { payload, payloadOffset } of entries) {
    const from = Math.max(offset, startsAt);
    const to = Math.min(offset + length, startsAt + payload.length);
    if (to > from) found.push([payloadOffset + from - startsAt, to - from]);
    startsAt += payload.length + delimiter.length;
    if (startsAt >= offset + length) break;
  }
  return found;
}

/**
 * Stderr comes in pieces, so it is one stretch up to where some of it was not kept. A secret of
 * several lines that a server prints among its messages stands in as many frames.
 */
function stretchesOf(
  entries: readonly FrameLogEntry[],
  secrets: readonly KnownSecret[],
): Stretch[] {
  const hasLines = secrets.some(({ value }) => /[\r\n]/.test(value.trim()));
  const stretches: Stretch[] = [];
  for (const connection of new Set(entries.map((entry) => entry.connection))) {
    const own = entries.filter((entry) => entry.connection === connection);
    const kept = stderrOf(own);
    for (const [index, pieces] of kept.entries()) {
      const isCut = { atStart: index > 0, atEnd: true };
      if (pieces.length > 0) stretches.push({ entries: pieces, delimiter: '', isCut });
    }
    const lines = own.filter(({ lane, transport }) => lane === '<' && transport === 'stdio');
    const areJoined = hasLines && lines.length > 1;
    if (areJoined) {
      stretches.push({ entries: lines, delimiter: '\n', isCut: { atStart: false, atEnd: true } });
    }
    for (const entry of own) {
      const { lane, transport } = entry;
      if (lane === '!' || (areJoined && lane === '<' && transport === 'stdio')) continue;
      const isCut = lane === '<' ? { atStart: false, atEnd: true } : NOT_CUT;
      stretches.push({ entries: [entry], delimiter: '', isCut });
    }
  }
  return stretches;
}

/** The pieces of stderr, apart where an event says that some of it is not kept. */
function stderrOf(entries: readonly FrameLogEntry[]): FrameLogEntry[][] {
  const parts: FrameLogEntry[][] = [[]];
  for (const entry of entries) {
    if (entry.lane === '!') parts.at(-1)?.push(entry);
    const isGap =
      entry.lane === '#' && Buffer.from(entry.payload).includes('"kind":"stderrOmitted"');
    if (isGap) parts.push([]);
  }
  return parts;
}
