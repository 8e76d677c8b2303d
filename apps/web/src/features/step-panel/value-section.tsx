import type { StepDetail, ValueDetail } from '@misstep/contract';
import { type ReactNode, useMemo, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { EvidenceDot, EvidenceGradeLabel } from '../../ui/evidence.tsx';
import { countOf, formatBytes } from '../../ui/format-count.ts';
import { Icon } from '../../ui/icon.tsx';
import { PanelHead } from '../../ui/panel-head.tsx';
import { Segment } from '../../ui/segment.tsx';
import { readValue, type ValueViewName } from './read-value.ts';
import styles from './value.module.css';
import { type CiteTools, ValueView } from './value-view.tsx';

const VIEW_WORDS: Readonly<Record<ValueViewName, string>> = {
  content: 'Content',
  lines: 'Lines',
  raw: 'As recorded',
};
const VIEW_TITLES: Readonly<Record<ValueViewName, string>> = {
  content: 'The JSON inside the text, one value a line',
  lines: 'One value a line, every token as recorded',
  raw: 'The exact text',
};

/** One recorded value: grade, capture state, its text in the views it allows. */
export function ValueSection(props: {
  title: string;
  value: ValueDetail;
  cite: ((contentPointer: string) => CiteTools) | null;
  onShowAll: (() => void) | null;
  note?: string | null;
  children?: ReactNode;
}) {
  const { value } = props;
  const reading = useMemo(() => readValue(value), [value]);
  const [chosen, setChosen] = useState<ValueViewName | null>(null);
  const view =
    chosen !== null && reading.views.includes(chosen) ? chosen : (reading.views[0] ?? 'raw');
  const lines = useMemo(() => reading.linesOf(view), [reading, view]);
  if (value.text === null) {
    return (
      <AbsentValue title={props.title} value={value}>
        {props.children}
      </AbsentValue>
    );
  }
  const remark = view === 'content' ? reading.remark : null;
  const contentPointer = view === 'content' ? reading.contentPointer : '';
  const cite = view === 'raw' || props.cite === null ? null : props.cite(contentPointer);
  return (
    <section className={styles.section} aria-label={props.title}>
      <PanelHead title={props.title} level={3} note={remark ?? props.note ?? stateWords(value)}>
        {reading.views.length > 2 ? (
          <EvidenceDot grade={value.evidence} />
        ) : (
          <EvidenceGradeLabel grade={value.evidence} />
        )}
        {reading.views.length > 1 ? (
          <Segment
            label={`View of ${props.title.toLowerCase()}`}
            small
            options={reading.views.map((name) => ({
              value: name,
              label: VIEW_WORDS[name],
              title: VIEW_TITLES[name],
            }))}
            value={view}
            onChange={setChosen}
          />
        ) : null}
        <CopyButton
          name={props.title.toLowerCase()}
          text={value.text}
          whole={value.omittedBytes === 0}
        />
      </PanelHead>
      {props.children}
      <ValueView lines={lines} grade={value.evidence} cite={cite} plainText={view === 'raw'} />
      {value.omittedBytes > 0 ? (
        <p className={styles.foot}>
          {`${formatBytes(value.sizeBytes - value.omittedBytes)} of ${formatBytes(value.sizeBytes)} shown`}
          {props.onShowAll === null ? null : (
            <button type="button" className={styles.more} onClick={props.onShowAll}>
              Show all
            </button>
          )}
        </p>
      ) : null}
    </section>
  );
}

function stateWords(value: ValueDetail): string {
  const size = formatBytes(value.sizeBytes);
  if (value.state !== 'elided') return size;
  const cuts = value.elisions.length;
  return cuts === 0
    ? `cut by the source, ${size} left`
    : `cut in ${countOf(cuts, 'place')}, ${size} left`;
}

function CopyButton(props: { name: string; text: string; whole: boolean }) {
  const [copied, setCopied] = useState(false);
  return (
    <Button
      small
      square
      kind="quiet"
      aria-label={`${copied ? 'Copied' : 'Copy'} ${props.name}`}
      title={props.whole ? 'Copy the exact text' : 'Copy what is shown; the rest was not sent'}
      onClick={() => {
        void navigator.clipboard.writeText(props.text).then(() => setCopied(true));
      }}
      onBlur={() => setCopied(false)}
    >
      <Icon name={copied ? 'check' : 'copy'} small />
    </Button>
  );
}

/** A value that the recording does not hold. Never shown as empty. */
export function AbsentValue(props: {
  title: string;
  value: Pick<ValueDetail, 'state' | 'evidence'> | null;
  children?: ReactNode;
}) {
  const noun = props.title.toLowerCase();
  const state = props.value?.state ?? 'notCaptured';
  return (
    <section className={styles.section} aria-label={props.title}>
      <PanelHead title={props.title} level={3} />
      {props.children}
      <div className={styles.absent}>
        {state === 'redacted' ? (
          <span className={styles.absentLine}>
            <Chip icon="lock">redacted</Chip>
            {`Somebody removed the ${noun} on purpose.`}
          </span>
        ) : state === 'elided' ? (
          <span className={styles.absentLine}>
            <Chip icon="dots" tone="truncated">
              elided
            </Chip>
            {`The source says that it left the ${noun} out.`}
          </span>
        ) : (
          <span className={styles.absentLine}>
            <Chip icon="unknown" inferred>
              not captured
            </Chip>
            {`The source never holds the ${noun}. That says nothing of what was sent.`}
          </span>
        )}
      </div>
    </section>
  );
}

/** A call that nobody answered, as far as the recording goes. */
export function UnansweredResult(props: {
  step: StepDetail;
  sentAt: string | null;
  next: string | null;
}) {
  const id = props.step.callId;
  return (
    <section className={styles.section} aria-label="Result">
      <PanelHead title="Result" level={3} />
      <div className={styles.absent}>
        <span className={styles.absentLine}>
          <Chip icon="question" tone="unanswered">
            unanswered
          </Chip>
          {id === null
            ? 'The recording ends with no response to this call.'
            : `The recording ends with no response to id ${id}.`}
        </span>
        <span className={styles.quiet}>
          {[props.sentAt, props.next].filter((part) => part !== null).join(' ')}
        </span>
      </div>
    </section>
  );
}
