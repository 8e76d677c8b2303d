import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeCompletion,
  completionKeymap,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { type EditorView, keymap, tooltips } from '@codemirror/view';
import { completionPlace } from './completion-place.ts';
import { type ArgumentsSchema, type SchemaOption, schemaOptions } from './schema-options.ts';

/** Offers what the schema says; `schema` is asked each time, so that a newer one counts at once. */
export function argumentCompletion(schema: () => ArgumentsSchema | null): Extension {
  const source = (context: CompletionContext): CompletionResult | null => {
    const known = schema();
    if (known === null) return null;
    const place = completionPlace(context.state.doc.toString(), context.pos);
    if (place === null) return null;
    // Nothing opens by itself where nothing was begun.
    if (!context.explicit && place.from === place.to) return null;
    const options = schemaOptions(known, place).map((option) => completionOf(option, place));
    return options.length === 0 ? null : { ...place, options, validFor: /^"?[\w.+-]*"?$/ };
  };
  return [
    autocompletion({ override: [source], icons: false, closeOnBlur: true }),
    // The column scrolls and cuts off what leaves it; a landmark keeps it findable.
    tooltips({ position: 'fixed', parent: document.querySelector('main') ?? document.body }),
    keymap.of([...completionKeymap, { key: 'Tab', run: acceptCompletion }]),
  ];
}

/** Closes the list if it is open; false where there is none to close. */
export function closeOffers(view: EditorView): boolean {
  return closeCompletion(view);
}

function completionOf(
  { text, detail, words, isRequired }: SchemaOption,
  place: { readonly kind: 'key' | 'value'; readonly hasColon: boolean },
): Completion {
  return {
    label: text,
    detail,
    ...(words === null ? {} : { info: () => infoOf(words) }),
    boost: isRequired ? 1 : 0,
    apply: place.kind === 'key' && !place.hasColon ? `${text}: ` : text,
  };
}

/** The schema's words are text and stay text. */
function infoOf(words: string): HTMLElement {
  const element = document.createElement('div');
  element.textContent = words;
  return element;
}
