import { type JsonDocument, type Loss, lossesOf } from '@misstep/json';
import type { CheckedCall } from './take-away.ts';

const MOST_NAMED = 20;

/** What JavaScript's JSON makes of the arguments on their way through the SDK, in words. */
export function lossesInJavaScript(document: JsonDocument): string[] {
  return describe(lossesOf(document).filter(({ kind }) => kind !== 'string-spelling'));
}

/** The SDKs ask for the newest revision that they know; which one Misstep asked for can't be set. */
export function ownRevision({ settings }: CheckedCall): string[] {
  if (settings.protocolRevision === 'auto') return [];
  return [
    `The SDK asks for the newest revision that it knows, not for ${settings.protocolRevision}.`,
  ];
}

/**
 * What Python's JSON makes of them: whole numbers stay exact at any size, key order stays; numbers
 * with a point or an exponent are doubles there too.
 */
export function lossesInPython(document: JsonDocument): string[] {
  return describe(
    lossesOf(document).flatMap((loss) => {
      const isWhole = /^-?\d+$/.test(loss.text);
      switch (loss.kind) {
        case 'precision':
          return isWhole ? [] : [loss];
        case 'overflow':
          return isWhole ? [] : [{ ...loss, becomes: 'Infinity, which is not JSON' }];
        case 'negative-zero':
          return isWhole ? [loss] : [];
        case 'lone-surrogate':
          return [{ ...loss, becomes: 'an error: the SDK sends UTF-8' }];
        case 'duplicate-key':
          return [loss];
        default:
          return [];
      }
    }),
  );
}

function describe(losses: readonly Loss[]): string[] {
  if (losses.length === 0) return [];
  const named = losses.slice(0, MOST_NAMED).map((loss) => {
    const place = loss.pointer === '' ? 'the whole' : loss.pointer;
    const text = loss.text.length > 80 ? `${loss.text.slice(0, 79)}…` : loss.text;
    const becomes =
      loss.kind === 'duplicate-key' ? 'is dropped (duplicate key)' : `becomes ${loss.becomes}`;
    return `  ${place}: ${text} ${becomes}`;
  });
  const rest = losses.length - named.length;
  return [
    "NOT THE SAME BYTES: this SDK can't send the arguments as recorded.",
    ...named,
    ...(rest === 0 ? [] : [`  and ${rest} more`]),
    'To send the exact bytes, take the call away as curl, shell or frames.',
  ];
}
