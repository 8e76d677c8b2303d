import type { ImportState } from '@misstep/contract';
import { Link } from '@tanstack/react-router';
import { isRunning, sourceCount, useDismissImport, useFormats } from '../../api/imports.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { countOf, formatBytesOf, formatCount } from '../../ui/format-count.ts';
import { formatLongDuration } from '../../ui/format-time.ts';
import { Icon } from '../../ui/icon.tsx';
import type { IconName } from '../../ui/icon-shapes.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import text from '../../ui/text.module.css';
import { lossWords } from '../run/record-words.ts';
import { visibleLine } from '../step-panel/visible-text.ts';
import { FailedImport } from './failed-import.tsx';
import styles from './import-list.module.css';
import { endedWords, keptWords, phaseWords, rateWords } from './import-words.ts';

const ICONS: Readonly<Record<ImportState['state'], IconName>> = {
  receiving: 'file',
  reading: 'file',
  done: 'check',
  failed: 'cross',
  cancelled: 'minus',
};

/** Some of its sources may have failed: then it is not simply done. */
function iconOf({ state, summary }: ImportState): IconName {
  return state === 'done' && summary.fates.failed > 0 ? 'warning' : ICONS[state];
}

/** Before anything is read there is no count, not even of none. */
const NOT_READING: ReadonlySet<ImportState['phase']> = new Set([
  'receiving',
  'waiting',
  'recognising',
]);

/** One import at 32 px: what is done or what came of it, and what can be done about it. */
export function ImportRow(props: {
  state: ImportState;
  isOpen: boolean;
  panelId: string;
  onToggle: () => void;
}) {
  const { state } = props;
  const formats = useFormats();
  const running = isRunning(state);
  const formatTitle =
    state.format === null
      ? ''
      : (formats.data?.find((format) => format.id === state.format)?.title ?? state.format);
  const name = visibleLine(state.name);
  return (
    <li
      className={classNames(
        styles.row,
        running && styles.running,
        !running && styles.ended,
        props.isOpen && styles.open,
        !running && formatTitle === '' && styles.noFormat,
      )}
      aria-label={`Import ${state.name}`}
    >
      <span className={state.state === 'failed' ? styles.error : undefined}>
        <Icon name={iconOf(state)} />
      </span>
      <span className={`${text.medium} ${text.ellipsis}`} title={name}>
        {name}
      </span>
      <span
        className={classNames(styles.format, text.secondary, text.ellipsis)}
        title={formatTitle}
      >
        {formatTitle}
      </span>
      {state.state === 'failed' ? (
        <FailedImport state={state} />
      ) : running ? (
        <Progress state={state} />
      ) : (
        <EndedImport state={state} />
      )}
      <Actions {...props} running={running} />
    </li>
  );
}

function Amount(props: { state: ImportState }) {
  const { readBytes, sizeBytes } = props.state;
  return (
    <span
      className={classNames(styles.amount, text.medium, text.number)}
      title={`${formatCount(readBytes)} of ${formatCount(sizeBytes)} bytes`}
    >
      {formatBytesOf(readBytes, sizeBytes)}
    </span>
  );
}

function Progress(props: { state: ImportState }) {
  const { state } = props;
  const phase = phaseWords(state);
  return (
    <>
      <span className={classNames(styles.phase, text.ellipsis)} title={phase}>
        {phase}
      </span>
      <ProgressBar
        label={`Importing ${state.name}`}
        done={state.readBytes}
        total={state.sizeBytes}
      />
      <Amount state={state} />
      <span
        className={classNames(styles.steps, text.secondary, text.number)}
        title={countOf(state.steps, 'step')}
      >
        {NOT_READING.has(state.phase) ? '' : countOf(state.records, 'record')}
      </span>
      <span className={classNames(styles.timing, text.secondary, text.number)}>
        {rateWords(state)}
      </span>
    </>
  );
}

function EndedImport(props: { state: ImportState }) {
  const { state } = props;
  const { summary } = state;
  return (
    <>
      <EndedState state={state} />
      <Amount state={state} />
      <span
        className={classNames(styles.steps, text.secondary, text.number)}
        title={countOf(summary.records.total, 'record')}
      >
        {countOf(summary.steps, 'step')}
      </span>
      <span className={classNames(styles.timing, text.secondary, text.number)}>
        {`in ${formatLongDuration(state.elapsedMs * 1e6)}`}
      </span>
    </>
  );
}

function EndedState(props: { state: ImportState }) {
  const { state } = props;
  const { summary } = state;
  if (state.state === 'cancelled') {
    const words = keptWords(state);
    return (
      <span className={classNames(styles.result, text.secondary, text.ellipsis)} title={words}>
        {words}
      </span>
    );
  }
  const loss = lossWords(summary.records);
  const words = endedWords(state);
  const isOne = sourceCount(state) === 1;
  if (loss === null || summary.run === null) {
    return (
      <span className={classNames(styles.result, text.secondary, text.ellipsis)} title={words}>
        {words}
      </span>
    );
  }
  return (
    <span
      className={classNames(styles.state, styles.result)}
      title={isOne ? `${loss}, kept as raw lines` : `${words}; ${loss}`}
    >
      {isOne ? null : (
        <span className={classNames(styles.told, text.secondary, text.ellipsis)}>{words}</span>
      )}
      <span className={classNames(styles.loss, styles.warning)}>
        <Icon name="warning" />
        {summary.runCount === 1 ? (
          <Link
            to="/runs/$runId"
            params={{ runId: summary.run.id }}
            search={{ tab: 'evidence' }}
            className={classNames(text.medium, text.ellipsis)}
          >
            {loss}
          </Link>
        ) : (
          <span className={classNames(text.medium, text.ellipsis)}>{loss}</span>
        )}
      </span>
    </span>
  );
}

function Actions(props: {
  state: ImportState;
  isOpen: boolean;
  panelId: string;
  onToggle: () => void;
  running: boolean;
}) {
  const { state, running } = props;
  const { run, runCount } = state.summary;
  const dismiss = useDismissImport();
  const count = sourceCount(state);
  return (
    <span className={styles.actions}>
      {count === 0 ? null : (
        <Button
          small
          kind="quiet"
          aria-expanded={props.isOpen}
          data-sources={state.id}
          aria-controls={props.isOpen ? props.panelId : undefined}
          title="What became of each source, its records, and why it was read as its format"
          onClick={props.onToggle}
        >
          {countOf(count, 'source')}
          <Icon name={props.isOpen ? 'down' : 'right'} small />
        </Button>
      )}
      {run === null || runCount > 1 ? null : (
        <Link
          to="/runs/$runId"
          params={{ runId: run.id }}
          search={{}}
          className={buttonClass({ small: true })}
        >
          {running ? 'Open what is read' : 'Open'}
        </Link>
      )}
      <Button
        small
        kind="quiet"
        className={styles.end}
        aria-label={running ? `Cancel import ${state.name}` : `Dismiss import ${state.name}`}
        unavailable={dismiss.isPending || state.phase === 'ending'}
        onClick={() => dismiss.mutate(state.id)}
      >
        {running ? 'Cancel' : 'Dismiss'}
      </Button>
    </span>
  );
}
