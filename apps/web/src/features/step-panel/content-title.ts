import type { StepDetail } from '@misstep/contract';

type ContentKind = StepDetail['content'][number]['kind'];

const TITLES: Readonly<Record<ContentKind, string>> = {
  text: 'Text',
  thinking: 'Thinking',
  image: 'Image',
  document: 'Document',
  other: 'Other content',
};

/** Whose convention an attribute is of; it says nothing of the value. */
const VENDORS = new Set(['gen_ai', 'ai', 'llm', 'traceloop', 'entity', 'openinference']);

/**
 * A part's heading: what the recording calls it, in words. `gen_ai.input.messages` is "Input messages",
 * `llm.input_messages` too; a part without a name of its own is called by its kind.
 */
export function contentTitle(kind: ContentKind, name: string | null): string {
  if (name === null || kind !== 'other') return TITLES[kind];
  const words = name
    .split('.')
    .filter((segment) => segment !== '' && !VENDORS.has(segment))
    .join(' ')
    .replaceAll('_', ' ');
  return words === '' ? TITLES[kind] : `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
