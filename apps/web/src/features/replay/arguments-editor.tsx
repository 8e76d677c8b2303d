import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { syntaxHighlighting } from '@codemirror/language';
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
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { argumentCompletion, closeOffers } from './argument-completion.ts';
import styles from './arguments-editor.module.css';
import { layOutArguments, type TextSpan } from './draft-arguments.ts';
import { inkOfTokens, look } from './editor-look.ts';
import type { ArgumentsSchema } from './schema-options.ts';
import { changedLines } from './text-difference.ts';

export interface ArgumentsEditorProps {
  /** Only a text other than the editor's own replaces what stands in it. */
  readonly text: string;
  readonly recorded: string;
  /** What is underlined, in `text`; null = not known yet, so what was underlined stays so. */
  readonly faults: readonly TextSpan[] | null;
  /** What is offered while one types; null = nothing. */
  readonly schema: ArgumentsSchema | null;
  /** Id of the element that says what is wrong. */
  readonly describedBy: string;
  readonly handle: Ref<EditorHandle>;
  readonly onChange: (text: string) => void;
  readonly onSend: () => void;
}

export interface EditorHandle {
  focus(): void;
  /** Selects a stretch of the text and brings it into view. */
  select(span: TextSpan): void;
}

const changedMarks = markField();
const faultMarks = markField();

/** Decorations that are set from outside, and move with the text in between. */
function markField() {
  const set = StateEffect.define<DecorationSet>();
  const field = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(before, transaction) {
      let after = before.map(transaction.changes);
      for (const effect of transaction.effects) if (effect.is(set)) after = effect.value;
      return after;
    },
    provide: (own) => EditorView.decorations.from(own),
  });
  return { set, field };
}

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
                  if (closeOffers(target)) return true;
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
          argumentCompletion(() => latest.current.schema),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          json(),
          syntaxHighlighting(inkOfTokens),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({
            'aria-label': 'Arguments',
            'aria-describedby': latest.current.describedBy,
            spellcheck: 'false',
            autocorrect: 'off',
            autocapitalize: 'off',
          }),
          typeThroughState,
          changedMarks.field,
          faultMarks.field,
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

  useImperativeHandle(props.handle, () => ({
    focus: () => view.current?.focus(),
    select: ({ from, to }) => {
      const editor = view.current;
      if (editor === null) return;
      const end = editor.state.doc.length;
      editor.dispatch({
        selection: { anchor: Math.min(from, end), head: Math.min(to, end) },
        scrollIntoView: true,
      });
      editor.focus();
    },
  }));

  const { text, recorded, faults } = props;
  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() !== text) return;
    const ranges: Range<Decoration>[] = [];
    for (const number of editedLines(recorded, text)) {
      if (number <= editor.state.doc.lines) {
        ranges.push(changedLine.range(editor.state.doc.line(number).from));
      }
    }
    editor.dispatch({ effects: changedMarks.set.of(Decoration.set(ranges, true)) });
  }, [text, recorded]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || faults === null || editor.state.doc.toString() !== text) return;
    const end = editor.state.doc.length;
    const ranges = faults
      .filter(({ from, to }) => from < to && to <= end)
      .map(({ from, to }) => faulty.range(from, to));
    editor.dispatch({ effects: faultMarks.set.of(Decoration.set(ranges, true)) });
  }, [text, faults]);

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
