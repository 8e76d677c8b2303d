import type { EvidenceGrade } from '@misstep/model';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { formatCount } from '../../ui/format-count.ts';
import { Icon } from '../../ui/icon.tsx';
import { cutWords } from './cut-words.ts';
import styles from './value.module.css';
import type { LineToken, ValueLine, ValueLines } from './value-lines.ts';
import { VisibleText } from './visible-text-view.tsx';

const DIRECT_LINES = 300;
const LINE_PX = 18;
const SHOWN_CHARACTERS = 400;

export interface CiteTools {
  readonly isCited: (pointer: string) => boolean;
  /** Null = nothing is being cited now. */
  readonly cite: ((pointer: string) => void) | null;
  /** `arguments`, `result`: for the button's name. */
  readonly part: string;
}

/** A value over numbered lines. Many lines stand in a window of their own. */
export function ValueView(props: {
  lines: ValueLines;
  grade: EvidenceGrade;
  cite: CiteTools | null;
  plainText: boolean;
}) {
  const { lines } = props.lines;
  const [whole, setWhole] = useState<{ line: number; text: string } | null>(null);
  const gutterPx = Math.max(40, String(props.lines.lastNumber).length * 7 + 26);
  const lineProps = {
    grade: props.grade,
    cite: props.cite,
    onWhole: (line: number, text: string) =>
      setWhole((open) => (open?.line === line ? null : { line, text })),
  };
  return (
    <div
      className={classNames(props.plainText && styles.plainText)}
      style={{ '--gutter': `${gutterPx}px` } as Record<string, string>}
    >
      {lines.length <= DIRECT_LINES ? (
        <div className={styles.lines}>
          {lines.map((line) => (
            <LineView key={line.number} line={line} {...lineProps} />
          ))}
        </div>
      ) : (
        <LineWindow lines={lines} {...lineProps} />
      )}
      {props.lines.omittedLines > 0 ? (
        <p
          className={styles.foot}
        >{`${formatCount(props.lines.omittedLines)} more lines; "as recorded" has them all`}</p>
      ) : null}
      {whole === null ? null : (
        <div
          className={styles.wrapped}
          tabIndex={0}
          role="region"
          aria-label={`Whole value of line ${whole.line}`}
        >
          <VisibleText text={whole.text} />
        </div>
      )}
    </div>
  );
}

interface LineTools {
  grade: EvidenceGrade;
  cite: CiteTools | null;
  onWhole: (line: number, text: string) => void;
}

function LineWindow(props: LineTools & { lines: readonly ValueLine[] }) {
  const box = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: props.lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_PX,
    overscan: 20,
    initialRect: { width: 400, height: 440 },
  });
  return (
    <div
      ref={box}
      className={classNames(styles.lines, styles.window)}
      tabIndex={0}
      role="region"
      aria-label={`${formatCount(props.lines.length)} lines`}
    >
      <div className={styles.sizer} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const line = props.lines[item.index];
          return line === undefined ? null : (
            <div
              key={item.key}
              className={styles.placed}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <LineView line={line} grade={props.grade} cite={props.cite} onWhole={props.onWhole} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function LineView(props: LineTools & { line: ValueLine }) {
  const { line } = props;
  return (
    <div
      className={styles.line}
      title={line.pointer === null || line.pointer === '' ? undefined : line.pointer}
    >
      <span className={styles.number}>
        <CiteGutter line={line} cite={props.cite} />
        {line.number}
      </span>
      <span className={styles.text}>
        {'  '.repeat(line.indent)}
        {line.tokens.map((token) => (
          <TokenView key={`${token.kind}${token.text.length}`} token={token} />
        ))}
        {line.cut !== null && line.tokens.length === 0 ? (
          <span className={styles.cut} title={line.cut.marker}>
            {cutWords(line.cut, props.grade)}
          </span>
        ) : null}
      </span>
      <LineNotes {...props} />
    </div>
  );
}

function LineNotes(props: LineTools & { line: ValueLine }) {
  const { line } = props;
  const long = line.tokens.find((token) => token.text.length > SHOWN_CHARACTERS);
  const cutsString = line.cut !== null && line.tokens.length > 0;
  if (long === undefined && !cutsString && !line.shadowed) return null;
  return (
    <span className={styles.note}>
      {line.shadowed ? (
        <span title="Most readers keep only the last of these keys.">same key again below</span>
      ) : null}
      {cutsString && line.cut !== null ? (
        <span className={styles.cut} title={line.cut.marker}>
          {cutWords(line.cut, props.grade)}
        </span>
      ) : null}
      {long === undefined ? null : (
        <button
          type="button"
          className={styles.more}
          onClick={() => props.onWhole(line.number, long.text)}
        >
          {`${formatCount(long.text.length - SHOWN_CHARACTERS)} more characters`}
        </button>
      )}
    </span>
  );
}

function TokenView(props: { token: LineToken }) {
  const { token } = props;
  const shown =
    token.text.length > SHOWN_CHARACTERS ? token.text.slice(0, SHOWN_CHARACTERS) : token.text;
  return (
    <span className={styles[token.kind]}>
      {token.kind === 'punctuation' ? shown : <VisibleText text={shown} />}
    </span>
  );
}

/** The flag of a cited value; while the form of the mark is open, a button that cites it. */
function CiteGutter(props: { line: ValueLine; cite: CiteTools | null }) {
  const { cite, line } = props;
  const { pointer } = line;
  if (cite === null || pointer === null) return null;
  const isCited = cite.isCited(pointer);
  if (cite.cite !== null) {
    const place = pointer === '' ? `the whole ${cite.part}` : `${cite.part} ${pointer}`;
    return (
      <button
        type="button"
        className={styles.cite}
        aria-pressed={isCited}
        aria-label={`Cite ${place}`}
        title={`Cite ${place}`}
        onClick={() => cite.cite?.(pointer)}
      >
        <Icon name={isCited ? 'flag' : 'flagOutline'} small />
      </button>
    );
  }
  return isCited ? (
    <span className={styles.cited} title="cited by the mark">
      <Icon name="flag" small />
    </span>
  ) : null;
}
