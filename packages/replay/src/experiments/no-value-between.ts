import { type JsonDocument, stringValue } from '@misstep/json';
import { shortened } from '@misstep/mcp';
import { isTimeForm, isTimeThatIs } from './time-scale.ts';

const LONGEST_SHOWN = 60;
/** Longer numbers are no quantities that a person walks between. */
export const MOST_DIGITS = 40;

const GENERAL =
  'No value stands between these two that could be tried: that takes numbers, dates of one form, or texts or lists of which one begins with the other.';

/** Why nothing stands between two values, in one sentence, with what to write instead where that is known. */
export function whyNoValueBetween(a: JsonDocument, b: JsonDocument): string {
  const texts = [a, b].map(scalarText);
  const [left, right] = texts;
  if (left == null || right == null || a.root.kind !== b.root.kind) return GENERAL;
  const noTime = texts.find((text) => text != null && isTimeForm(text) && !isTimeThatIs(text));
  if (noTime != null) {
    return `No value stands between these two: ${noTime} is no date or time that there is.`;
  }
  if (isTimeForm(left) && isTimeForm(right)) {
    return 'No value stands between these two: both are times, but in two forms. Write both with the same precision, separator and offset.';
  }
  if (!isNumeric(left) || !isNumeric(right)) return GENERAL;
  const withExponent = texts.find((text) => text != null && /e/i.test(text));
  if (withExponent != null) {
    return `No value stands between these two: ${shortened(withExponent, LONGEST_SHOWN)} has an exponent. Write it without an exponent, then the values between can be tried.`;
  }
  const tooLong = texts.find((text) => text != null && text.length > MOST_DIGITS);
  if (tooLong != null) {
    return `No value is tried between these two: ${shortened(tooLong, LONGEST_SHOWN)} is longer than ${MOST_DIGITS} digits.`;
  }
  const withZeros = texts.find((text) => text != null && /^-?0\d/.test(text));
  if (withZeros != null) {
    return `No value stands between these two: ${withZeros} begins with zeros, which a number between would lose.`;
  }
  return GENERAL;
}

/** A number as it is written, or a text; null = something else. */
function scalarText(document: JsonDocument): string | null {
  const { root, text } = document;
  if (root.kind === 'number') return text.slice(root.start, root.end);
  return root.kind === 'string' ? stringValue(document, root) : null;
}

function isNumeric(text: string): boolean {
  return /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text);
}
