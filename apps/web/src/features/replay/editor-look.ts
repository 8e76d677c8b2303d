import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export const inkOfTokens = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--text-2)' },
  {
    tag: [tags.string, tags.number, tags.bool, tags.null],
    color: 'var(--text)',
    fontWeight: '500',
  },
  {
    tag: [tags.separator, tags.squareBracket, tags.brace, tags.punctuation],
    color: 'var(--text-3)',
  },
]);

export const look = EditorView.theme({
  '&': { backgroundColor: 'var(--surface)', color: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    font: '12px/18px var(--mono)',
    fontVariantLigatures: 'none',
    maxHeight: '336px',
    overflow: 'auto',
  },
  '.cm-content': { padding: '4px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 8px' },
  '.cm-gutters': {
    minWidth: '26px',
    backgroundColor: 'var(--surface-2)',
    borderRight: '1px solid var(--line)',
    color: 'var(--text-3)',
    fontSize: '11px',
  },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--surface-3)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground, ::selection': {
    backgroundColor: 'var(--sel)',
  },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-specialChar': { color: 'var(--text-2)', border: '1px solid var(--line-3)' },
  '.misstep-changed': { boxShadow: 'inset 2px 0 0 var(--text-2)' },
  '.misstep-faulty': {
    textDecoration: 'underline wavy var(--err) 1px',
    textUnderlineOffset: '3px',
  },
  '&.cm-tooltip, .cm-tooltip': {
    border: '1px solid var(--line-3)',
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    font: '12px/18px var(--mono)',
    maxHeight: '182px',
    maxWidth: '320px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '1px 8px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--inverse)',
    color: 'var(--on-inverse)',
  },
  '.cm-completionDetail': {
    fontFamily: 'var(--ui)',
    fontSize: '11px',
    fontStyle: 'normal',
    marginLeft: '12px',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-tooltip.cm-completionInfo': {
    padding: '6px 8px',
    font: '12px/16px var(--ui)',
    maxWidth: '280px',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
});
