import type { StepDetail } from '@misstep/contract';
import { parseJson, printJson } from '@misstep/json';
import { countOf } from '../../ui/format-count.ts';

/** What the draft begins with, and what the recording lacks of it. */
export interface RecordedArguments {
  /** The exact recorded text, whole or not; '' where nothing is recorded. */
  readonly text: string;
  /** True where `text` is what was sent, byte for byte as recorded. */
  readonly isWhole: boolean;
  /** What the person has to write themselves; null = nothing. */
  readonly gap: { readonly title: string; readonly words: string } | null;
}

export function recordedArguments(step: Pick<StepDetail, 'arguments'>): RecordedArguments {
  const value = step.arguments;
  if (value === null || value.text === null) {
    const redacted = value?.state === 'redacted';
    return {
      text: '',
      isWhole: false,
      gap: redacted
        ? {
            title: 'The arguments were redacted',
            words: 'Somebody removed them from the recording. Write them before you send.',
          }
        : {
            title: 'The arguments were not captured',
            words: 'The source never holds them. Write them before you send.',
          },
    };
  }
  if (value.omittedBytes > 0) {
    return {
      text: value.text,
      isWhole: false,
      gap: {
        title: 'The arguments are too large to edit here',
        words: `${countOf(value.omittedBytes, 'byte')} are not in this text. It can't be sent as recorded from here.`,
      },
    };
  }
  if (value.state === 'redacted' || value.state === 'elided' || value.elisions.length > 0) {
    const places = value.elisions.map(
      (cut) =>
        `${cut.pointer === '' ? 'the value' : cut.pointer} (${cut.marker.trim() || cut.kind})`,
    );
    const where = places.length === 0 ? '' : ` At ${places.join(', ')}.`;
    return {
      text: value.text,
      isWhole: false,
      gap:
        value.state === 'redacted'
          ? {
              title: 'The arguments were redacted',
              words: `Something in them was removed on purpose.${where} Type a value or remove the key.`,
            }
          : {
              title: 'The recording cut the arguments',
              words: `What is left out can't be known.${where} Write it before you send.`,
            },
    };
  }
  return { text: value.text, isWhole: true, gap: null };
}

/** Offsets in UTF-16 units, the end exclusive. */
export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

/** Where and why a text is no JSON object; null = it can be sent. */
export interface ArgumentsProblem extends TextSpan {
  readonly words: string;
}

export function checkArguments(text: string): ArgumentsProblem | null {
  const document = parseJson(text);
  if (!document.ok) {
    // At the end of the text there is nothing to underline but what stands last.
    const from = Math.min(document.error.offset, Math.max(0, text.length - 1));
    return { from, to: Math.min(text.length, from + 1), words: document.error.message };
  }
  const { root } = document.value;
  if (root.kind === 'object') return null;
  return {
    from: root.start,
    to: root.end,
    words: 'Arguments are a JSON object: they begin with { and end with }.',
  };
}

/** The same tokens over lines; the text itself where it is no JSON. */
export function layOutArguments(text: string): string {
  const document = parseJson(text);
  return document.ok ? printJson(document.value, { indent: 2 }) : text;
}

export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
