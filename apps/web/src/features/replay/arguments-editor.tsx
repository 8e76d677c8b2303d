import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState, Prec, type Range, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import styles from './arguments-editor.module.css';
import { type ArgumentsProblem, layOutArguments } from './draft-arguments.ts';
import { changedLines } from './text-difference.ts';

export interface ArgumentsEditorProps {
  /** Only a text other than the editor's own replaces what stands in it. */
  readonly text: string;
  readonly recorded: string;
  readonly problem: ArgumentsProblem | null;
  readonly onChange: (text: string) => void;
  readonly onSend: () => void;
}

const setMarks = StateEffect.define<DecorationSet>();
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, transaction) {
    let after = before.map(transaction.changes);
    for (const effect of transaction.effects) if (effect.is(setMarks)) after = effect.value;
    return after;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const changedLine = Decoration.line({ class: 'misstep-changed' });
const faulty = Decoration.mark({ class: 'misstep-faulty' });

/** The text that is sent, exactly as typed. */
export function ArgumentsEditor(props: ArgumentsEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const editor = new EditorView({
      parent: element,
      state: EditorState.create({
        doc: latest.current.text,
        extensions: [
          // Only U+000A ends a line: a carriage return in the text stays a character of it.
          EditorState.lineSeparator.of('\n'),
          Prec.highest(
            keymap.of([
              {
                key: 'Mod-Enter',
                run: () => {
                  latest.current.onSend();
                  return true;
                },
              },
              {
                key: 'Escape',
                run: (target) => {
                  target.contentDOM.blur();
                  return true;
                },
              },
            ]),
          ),
          lineNumbers(),
          highlightActiveLine(),
          highlightSpecialChars(),
          history(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          json(),
          syntaxHighlighting(inkOfTokens),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({
            'aria-label': 'Arguments',
            spellcheck: 'false',
            autocorrect: 'off',
            autocapitalize: 'off',
          }),
          typeThroughState,
          marks,
          look,
          EditorView.cspNonce.of(styleNonce()),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      editor.destroy();
      view.current = null;
    };
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === props.text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: props.text } });
  }, [props.text]);

  const { text, recorded, problem } = props;
  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() !== text) return;
    const ranges: Range<Decoration>[] = [];
    for (const number of editedLines(recorded, text)) {
      if (number <= editor.state.doc.lines) {
        ranges.push(changedLine.range(editor.state.doc.line(number).from));
      }
    }
    if (problem !== null && problem.to > problem.from) {
      ranges.push(faulty.range(problem.from, Math.min(problem.to, editor.state.doc.length)));
    }
    editor.dispatch({ effects: setMarks.of(Decoration.set(ranges, true)) });
  }, [text, recorded, problem]);

  return <div ref={host} className={styles.editor} data-editor="arguments" />;
}

/**
 * Lines that differ from the recording, as it is written or laid out over lines: whichever the text
 * is nearer to. New line breaks alone then mark nothing.
 */
function editedLines(recorded: string, text: string): Set<number> {
  const asWritten = changedLines(recorded, text);
  const overLines = changedLines(layOutArguments(recorded), text);
  return overLines.size < asWritten.size ? overLines : asWritten;
}

/**
 * Typed text goes straight into the document. Left to itself the browser keeps the look of deleted
 * text for what is typed next, as inline styles, which the page's policy forbids and reports.
 */
const typeThroughState = EditorView.domEventHandlers({
  beforeinput(event, view) {
    if (event.inputType !== 'insertText' || event.data === null || view.composing) return false;
    event.preventDefault();
    view.dispatch(view.state.replaceSelection(event.data), {
      userEvent: 'input.type',
      scrollIntoView: true,
    });
    return true;
  },
});

/** The editor brings its styles as an element, which the page's policy lets in by this nonce alone. */
function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

const inkOfTokens = HighlightStyle.define([
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

const look = EditorView.theme({
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
});
