import type { ImportState } from '@misstep/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  inputOfImport,
  isRunning,
  useDismissImport,
  useFormats,
  useStartImport,
} from '../../api/imports.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { SelectInput } from '../../ui/field.tsx';
import { countOf, formatBytes, formatBytesOf, formatCount } from '../../ui/format-count.ts';
import { formatLongDuration, formatTimeLeft } from '../../ui/format-time.ts';
import { Icon } from '../../ui/icon.tsx';
import type { IconName } from '../../ui/icon-shapes.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import text from '../../ui/text.module.css';
import { lossWords } from '../run/record-words.ts';
import styles from './import-list.module.css';
import { type ImportSummary, summarizeImport } from './import-summary.ts';

const ICONS: Readonly<Record<ImportState['state'], IconName>> = {
  receiving: 'file',
  reading: 'file',
  done: 'check',
  failed: 'cross',
  cancelled: 'minus',
};

/** One import at 32 px: amount, steps, time, and what can be done about it. */
export function ImportRow(props: { state: ImportState }) {
  const { state } = props;
  const dismiss = useDismissImport();
  const formats = useFormats();
  const running = isRunning(state);
  const summary = summarizeImport(state);
  const [first, second] = state.sources.filter(({ runs }) => runs.length > 0);
  const onlySource = second === undefined ? (first?.source.sha256 ?? null) : null;
  const formatIds = [
    ...new Set([state.format, ...state.sources.map((source) => source.format)]),
  ].filter((id) => id !== null);
  const formatTitle =
    formatIds.length > 1
      ? `${formatIds.length} formats`
      : (formats.data?.find((format) => format.id === formatIds[0])?.title ?? formatIds[0] ?? '');
  return (
    <li className={styles.row} aria-label={`Import ${state.name}`}>
      <span className={state.state === 'failed' ? styles.error : undefined}>
        <Icon name={ICONS[state.state]} />
      </span>
      <span className={`${text.medium} ${text.ellipsis}`} title={state.name}>
        {state.name}
      </span>
      <span
        className={classNames(styles.format, text.secondary, text.ellipsis)}
        title={formatTitle}
      >
        {formatTitle}
      </span>
      {state.state === 'failed' ? (
        <FailedImport state={state} />
      ) : (
        <>
          {running ? (
            <ProgressBar
              label={`Importing ${state.name}`}
              done={state.readBytes}
              total={state.sizeBytes}
            />
          ) : (
            <EndedState state={state} summary={summary} />
          )}
          <span
            className={classNames(styles.amount, text.medium, text.number)}
            title={`${formatCount(state.readBytes)} of ${formatCount(state.sizeBytes)} bytes`}
          >
            {formatBytesOf(state.readBytes, state.sizeBytes)}
          </span>
          <span
            className={classNames(styles.steps, text.secondary, text.number)}
            title={countOf(running ? state.records : summary.totalRecords, 'record')}
          >
            {countOf(running ? state.steps : summary.steps, 'step')}
          </span>
          <span className={classNames(styles.timing, text.secondary, text.number)}>
            {running ? progressWords(state) : `in ${formatLongDuration(state.elapsedMs * 1e6)}`}
          </span>
          <span className={styles.filler} />
        </>
      )}
      <span className={styles.actions}>
        {onlySource === null ? null : (
          <Link
            to="/formats"
            search={{ source: onlySource }}
            className={buttonClass({ small: true, kind: 'quiet' })}
            title="Why this format? Scores of all formats, and how to read it as another"
          >
            Why this format?
          </Link>
        )}
        <OpenLink summary={summary} running={running} />
        <Button
          small
          kind="quiet"
          className={styles.end}
          aria-label={running ? `Cancel import ${state.name}` : `Dismiss import ${state.name}`}
          unavailable={dismiss.isPending}
          onClick={() => dismiss.mutate(state.id)}
        >
          {running ? 'Cancel' : 'Dismiss'}
        </Button>
      </span>
    </li>
  );
}

/** Bytes a second and the time left by that; when all is read, what is still done. */
export function progressWords(state: ImportState): string {
  const { readBytes, sizeBytes, remainingMs } = state;
  if (state.state === 'reading' && readBytes >= sizeBytes) return 'saving the steps';
  if (remainingMs === null || remainingMs <= 0) return '';
  // The rate that the time left was worked out from: of this phase, not of the whole import.
  const rate = ((sizeBytes - readBytes) / remainingMs) * 1000;
  return `${formatBytes(rate)}/s, ${formatTimeLeft(remainingMs)}`;
}

function OpenLink(props: { summary: ImportSummary; running: boolean }) {
  const [run, second] = props.summary.runs;
  if (run === undefined) return null;
  if (second !== undefined) {
    return <span className={text.secondary}>{countOf(props.summary.runs.length, 'run')}</span>;
  }
  return (
    <Link
      to="/runs/$runId"
      params={{ runId: run.id }}
      search={{}}
      className={buttonClass({ small: true })}
    >
      {props.running ? 'Open what is read' : 'Open'}
    </Link>
  );
}

function EndedState(props: { state: ImportState; summary: ImportSummary }) {
  const { state, summary } = props;
  if (state.state === 'cancelled') {
    return <span className={text.secondary}>cancelled, nothing was kept</span>;
  }
  const [run] = summary.runs;
  const loss = lossWords(summary);
  if (loss !== null && run !== undefined) {
    return (
      <span className={classNames(styles.state, styles.warning)}>
        <Icon name="warning" />
        <Link
          to="/runs/$runId"
          params={{ runId: run.id }}
          search={{ tab: 'evidence' }}
          className={text.medium}
        >
          {loss}
        </Link>
        <span className={classNames(styles.aside, text.tertiary)}>kept as raw lines</span>
      </span>
    );
  }
  const words = [
    summary.nothingNew ? 'imported before, nothing changed' : '',
    summary.runs.length === 0 ? 'no run in it' : '',
    summary.unrecognised > 0
      ? `${summary.unrecognised} of ${countOf(state.sources.length, 'file')} not recognised`
      : '',
    summary.issueCount > 0 ? countOf(summary.issueCount, 'note') : '',
  ].filter((part) => part !== '');
  const issues = issuesOf(state);
  return (
    <span className={`${text.secondary} ${text.ellipsis}`} title={issues.slice(0, 20).join('\n')}>
      {words.length > 0
        ? words.join(', ')
        : summary.setAsideRecords > 0
          ? `${countOf(summary.totalRecords, 'record')}, ${formatCount(summary.setAsideRecords)} set aside`
          : `${countOf(summary.totalRecords, 'record')}, all understood`}
    </span>
  );
}

function issuesOf(state: ImportState): string[] {
  return state.sources.flatMap((source) =>
    source.issues.map(({ code, message, offset }) =>
      offset === null ? `${code}: ${message}` : `${code} at byte ${offset}: ${message}`,
    ),
  );
}

/** What failed, what to do, and the format overruled where the bytes are still at hand. */
function FailedImport(props: { state: ImportState }) {
  const { state } = props;
  const start = useStartImport();
  const dismiss = useDismissImport();
  const formats = useFormats();
  const [format, setFormat] = useState('');
  const input = inputOfImport(state.id);
  const issues = issuesOf(state);
  const words = `${state.error?.message ?? 'It failed without saying why.'} ${state.error?.hint ?? ''}`;
  return (
    <span className={classNames(styles.state, styles.wideState)}>
      <span role="alert" className={`${text.error} ${text.ellipsis}`} title={words}>
        {words}
      </span>
      {issues.length > 1 ? (
        <span className={text.secondary} title={issues.slice(0, 20).join('\n')}>
          {countOf(issues.length, 'note')}
        </span>
      ) : null}
      {input === undefined ? (
        <span className={text.secondary}>Choose the file again to retry.</span>
      ) : (
        <>
          <SelectInput
            aria-label={`Read ${state.name} as`}
            value={format}
            onChange={(event) => setFormat(event.currentTarget.value)}
          >
            <option value="">by content</option>
            {formats.data?.map((each) => (
              <option key={each.id} value={each.id}>
                {each.title}
              </option>
            ))}
          </SelectInput>
          <Button
            small
            unavailable={start.isPending}
            onClick={() =>
              start.mutate(
                { input, format: format === '' ? null : format },
                { onSuccess: () => dismiss.mutate(state.id) },
              )
            }
          >
            Try again
          </Button>
        </>
      )}
    </span>
  );
}
