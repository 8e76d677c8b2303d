import type { StepDetail, ValueDetail } from '@misstep/contract';
import type { Citation, StepId } from '@misstep/model';
import { Link } from '@tanstack/react-router';
import { EvidenceGradeLabel } from '../../ui/evidence.tsx';
import { formatStepDuration } from '../../ui/format-time.ts';
import { PanelHead } from '../../ui/panel-head.tsx';
import { sameCitation } from '../mark/mark-draft.ts';
import { stepCostWords } from '../prices/cost-words.ts';
import { placeText } from '../run/amounts.ts';
import type { RunModel } from '../run/use-run-model.ts';
import { contentTitle } from './content-title.ts';
import { SpeechHead } from './speech-head.tsx';
import styles from './value.module.css';
import { AbsentValue, UnansweredResult, ValueSection } from './value-section.tsx';
import type { CiteTools } from './value-view.tsx';
import { VisibleText } from './visible-text-view.tsx';

export interface CallTabProps {
  readonly model: RunModel;
  readonly index: number;
  readonly step: StepDetail;
  /** What the form or the mark cites. */
  readonly citations: readonly Citation[];
  /** Null = the form of the mark is closed. */
  readonly onCite: ((citation: Citation) => void) | null;
  /** Null = everything is here already. */
  readonly onShowAll: (() => void) | null;
}

/** What is said by someone, as its content tells; only what is called has arguments. */
const SPEECH: ReadonlySet<StepDetail['kind']> = new Set(['user', 'model', 'note', 'context']);

/** What the step sent and got, as recorded. */
export function CallTab(props: CallTabProps) {
  const { step } = props;
  // A model call is answered too, and has no arguments that could be missing.
  const isCall = !SPEECH.has(step.kind) && step.status !== 'none';
  const hasArguments = isCall || step.arguments !== null;
  const hasResult =
    isCall || step.result !== null || step.statusReason !== null || step.status === 'unanswered';
  const tools = (part: Citation['part']) => (contentPointer: string) =>
    citeTools(props, part, contentPointer);
  return (
    <>
      {hasArguments ? (
        step.arguments === null ? (
          <AbsentValue title="Arguments" value={null} />
        ) : (
          <ValueSection
            title="Arguments"
            value={step.arguments}
            cite={tools('arguments')}
            onShowAll={props.onShowAll}
          />
        )
      ) : null}
      {hasResult ? <ResultSection {...props} cite={tools('result')} /> : null}
      {step.content.map((part, order) => (
        <ContentSection
          // Parts have no id of their own; their order never changes.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above.
          key={order}
          kind={part.kind}
          name={part.name ?? null}
          value={part.value}
          onShowAll={props.onShowAll}
        />
      ))}
      {!hasArguments && !hasResult && step.content.length === 0 ? (
        <div className={styles.absent}>The recording holds no text for this step.</div>
      ) : null}
      {step.usage === null ? null : <UsageSection step={step} />}
      {step.cost === null ? null : <CostSection cost={step.cost} />}
    </>
  );
}

function ResultSection(props: CallTabProps & { cite: (contentPointer: string) => CiteTools }) {
  const { step, model, index } = props;
  const startNs = model.skeleton.startsNs[index] ?? null;
  if (step.result === null && step.status === 'unanswered') {
    const nextNs = model.skeleton.startsNs[index + 1] ?? null;
    return (
      <UnansweredResult
        step={step}
        sentAt={startNs === null ? null : `Sent at ${placeText(startNs)}.`}
        next={
          startNs === null || nextNs === null || nextNs < startNs
            ? null
            : `The next step began ${formatStepDuration(nextNs - startNs)} later.`
        }
      />
    );
  }
  // A call may have failed without a result, or its result be left out: why it failed is said all the same.
  const reason =
    step.statusReason === null || saysNoMore(step) ? null : (
      <div className={styles.absent}>
        <VisibleText text={step.statusReason} />
      </div>
    );
  if (step.result === null) {
    return (
      <AbsentValue title="Result" value={null}>
        {reason}
      </AbsentValue>
    );
  }
  const note = step.emptyResult === true ? 'answered, nothing in it' : null;
  return (
    <ValueSection
      title="Result"
      value={step.result}
      cite={props.cite}
      onShowAll={props.onShowAll}
      note={note}
    >
      {reason}
    </ValueSection>
  );
}

function citeTools(props: CallTabProps, part: Citation['part'], contentPointer: string): CiteTools {
  // The detail's id is the skeleton's, checked by the contract.
  const stepId: StepId = props.step.id;
  // Inside a text there are no pointers of the record: the text as a whole is cited.
  const citationOf = (pointer: string): Citation => ({
    stepId,
    part,
    pointer: contentPointer === '' ? pointer : contentPointer,
  });
  const { onCite } = props;
  return {
    part,
    isCited: (pointer) =>
      (contentPointer === '' || pointer === '') &&
      props.citations.some((each) => sameCitation(each, citationOf(pointer))),
    cite: onCite === null ? null : (pointer) => onCite(citationOf(pointer)),
  };
}

function ContentSection(props: {
  kind: StepDetail['content'][number]['kind'];
  name: string | null;
  value: ValueDetail;
  onShowAll: (() => void) | null;
}) {
  const { value } = props;
  const title = contentTitle(props.kind, props.name);
  const isSpeech = (props.kind === 'text' || props.kind === 'thinking') && value.text !== null;
  if (!isSpeech) {
    return (
      <ValueSection
        title={title}
        value={value}
        cite={null}
        onShowAll={props.onShowAll}
        note={props.name === null ? null : `recorded as ${props.name}`}
      />
    );
  }
  return (
    <SpeechSection
      title={title}
      value={value}
      onShowAll={props.onShowAll}
      thinking={props.kind === 'thinking'}
    />
  );
}

function SpeechSection(props: {
  title: string;
  value: ValueDetail;
  thinking: boolean;
  onShowAll: (() => void) | null;
}) {
  const { value } = props;
  if (value.text === '') {
    return (
      <section className={styles.section} aria-label={props.title}>
        <PanelHead title={props.title} level={3} note="recorded, without a character in it" />
      </section>
    );
  }
  const looksLikeData = /^\s*[[{]/.test(value.text ?? '');
  if (looksLikeData) {
    return (
      <ValueSection title={props.title} value={value} cite={null} onShowAll={props.onShowAll} />
    );
  }
  return (
    <section className={styles.section} aria-label={props.title}>
      <SpeechHead title={props.title} value={value} />
      <div
        className={props.thinking ? `${styles.speech} ${styles.thinking}` : styles.speech}
        tabIndex={0}
        role="region"
        aria-label={`${props.title}, whole`}
      >
        <VisibleText text={value.text ?? ''} />
      </div>
      {value.omittedBytes > 0 && props.onShowAll !== null ? (
        <p className={styles.foot}>
          {`${value.omittedBytes} bytes more`}
          <button type="button" className={styles.more} onClick={props.onShowAll}>
            Show all
          </button>
        </p>
      ) : null}
    </section>
  );
}

function UsageSection(props: { step: StepDetail }) {
  const { usage } = props.step;
  if (usage === null) return null;
  const rows: [string, number | null][] = [
    ['input', usage.inputTokens],
    ['output', usage.outputTokens],
    ['cache read', usage.cacheReadTokens],
    ['cache write', usage.cacheWriteTokens],
  ];
  if (usage.cacheWriteHourTokens !== undefined) {
    rows.push(['of it for an hour', usage.cacheWriteHourTokens]);
  }
  if (usage.feeRequests !== undefined) {
    rows.push(['charged by the request beside the tokens', usage.feeRequests]);
  }
  const words = rows.map(([name, count]) => `${count ?? '—'} ${name}`).join(', ');
  return (
    <section className={styles.section} aria-label="Tokens">
      <PanelHead
        title="Tokens"
        level={3}
        note={usage.inputExcludesCache ? 'input leaves cached ones out' : 'input holds cached ones'}
      />
      <div className={styles.absent}>{words}</div>
    </section>
  );
}

function CostSection(props: { cost: NonNullable<StepDetail['cost']> }) {
  const { recorded, derived } = stepCostWords(props.cost);
  return (
    <section className={styles.section} aria-label="Cost">
      <PanelHead title="Cost" level={3} note="USD">
        <Link to="/prices">Prices</Link>
      </PanelHead>
      <div className={styles.absent}>
        <span>{`recorded: ${recorded}`}</span>
        <span>
          <EvidenceGradeLabel grade="derived" />
          {` ${derived}`}
        </span>
      </div>
    </section>
  );
}

/** True where the reason only repeats how the result begins, which stands below it. */
function saysNoMore({ statusReason, result }: StepDetail): boolean {
  const text = result?.text ?? null;
  return text !== null && statusReason !== null && text.trim().startsWith(statusReason.trim());
}
