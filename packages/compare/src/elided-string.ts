import {
  type JsonDocument,
  type JsonNode,
  stringValue,
  type TolerantDocument,
} from '@misstep/json';
import type { Ground } from './ground.ts';
import { differs, type LeafVerdict } from './leaf.ts';

const MARKER =
  /\s*(…|\.{2,3})?\s*[[(+]?[\s+]*[\d,.]*\s*(more\s+)?(chars?|characters|bytes|lines)?[^\p{L}\d]*$/iu;

/**
 * A string that the transcript cuts, against the live value. What it shows must be how the live
 * string begins; then the rest is elided. Anything else can't be told from a cut.
 */
export function compareElidedString(
  document: JsonDocument,
  node: Extract<JsonNode, { kind: 'string' }>,
  elisions: readonly TolerantDocument['elisions'][number][],
  liveDocument: JsonDocument,
  live: JsonNode,
  ground: Ground,
): LeafVerdict {
  const note = elisions
    .map((elision) => elision.marker.trim())
    .filter((marker) => marker !== '')
    .join(' ');
  if (live.kind !== 'string') {
    return {
      ...differs(ground),
      note: `the transcript cuts a string here, ${ground.right} has none`,
    };
  }
  const whole = stringValue(liveDocument, live);
  const shown = shownPart(stringValue(document, node), elisions);
  if (shown === whole && elisions.every((elision) => elision.count === null))
    return { verdict: 'same', note: null };
  if (whole.startsWith(shown)) {
    if (note === '') {
      const verdict = ground.isSameAnswer ? 'altered in transcript' : 'cannot tell';
      return { verdict, note: 'the transcript ends within this string' };
    }
    return { verdict: 'elided in transcript', note };
  }
  return {
    ...differs(ground),
    note: 'the part that the transcript shows differs already',
  };
}

/** The string without the marker, where the marker stands inside the quotes. */
function shownPart(
  value: string,
  elisions: readonly TolerantDocument['elisions'][number][],
): string {
  for (const { marker } of elisions) {
    const bare = marker.trim();
    if (bare !== '' && value.endsWith(bare)) return value.slice(0, value.length - bare.length);
  }
  return value.replace(MARKER, '');
}
