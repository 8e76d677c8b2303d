import type { ImportRow } from '@misstep/contract';
import { Link } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { countOf, formatBytes, formatCount } from '../../ui/format-count.ts';
import { Icon } from '../../ui/icon.tsx';
import type { IconName } from '../../ui/icon-shapes.ts';
import { NotRecorded } from '../../ui/not-recorded.tsx';
import text from '../../ui/text.module.css';
import { directionOf } from '../../ui/text-direction.ts';
import { visibleLine } from '../step-panel/visible-text.ts';
import { Worded } from '../step-panel/worded.tsx';
import styles from './import-sources.module.css';
import { FATE_WORDS } from './import-words.ts';
import { ReadAs } from './read-as.tsx';
import { RemarkList } from './remark-list.tsx';

const ICONS: Readonly<Record<ImportRow['fate'], IconName>> = {
  imported: 'check',
  known: 'equal',
  setAside: 'minus',
  failed: 'cross',
};

/** Notes of the import, or the choice of another format. */
export type SourceDetail = 'notes' | 'readAs';

const COLUMNS = 8;
const MOST_RUNS = 3;

/** One source: what became of it, its format and why that one, its records, and its notes. */
export function SourceRow(props: {
  row: ImportRow;
  formatTitle: string;
  /** What stands open below the row. */
  shown: SourceDetail | null;
  onShow: (detail: SourceDetail) => void;
}) {
  const { row, shown, onShow } = props;
  const path = visibleLine(row.path);
  const isPart = row.container !== null;
  const shownPath = isPart ? visibleLine(row.path.slice((row.container?.length ?? 0) + 1)) : path;
  const sized = row.source === null ? path : `${path}, ${formatBytes(row.source.sizeBytes)}`;
  return (
    <>
      <tr>
        <th scope="row" title={sized} className={isPart ? styles.part : undefined}>
          {shownPath}
        </th>
        <td className={styles.became}>
          <Became row={row} />
        </td>
        <td className={styles.formatCell}>
          {props.formatTitle === '' ? null : (
            <span className={text.ellipsis} title={props.formatTitle}>
              {props.formatTitle}
            </span>
          )}
          {row.source === null || row.partCount !== null ? null : (
            <Link
              className={styles.why}
              to="/formats"
              search={{
                source: row.source.sha256,
                ...(row.format === null ? {} : { format: row.format }),
              }}
              aria-label={`Why this format? ${path}`}
              title="Why this format? Scores of all formats, and how to read it as another"
            >
              why?
            </Link>
          )}
          {row.source === null || row.partCount !== null ? null : (
            <button
              type="button"
              className={styles.readAs}
              aria-expanded={shown === 'readAs'}
              aria-label={`Read as another format: ${path}`}
              onClick={() => onShow('readAs')}
            >
              read as
            </button>
          )}
        </td>
        <Counts row={row} />
        <td>
          {row.issues.length === 0 ? (
            <span className={text.tertiary}>none</span>
          ) : (
            <Button
              small
              kind="quiet"
              className={styles.notes}
              aria-expanded={shown === 'notes'}
              aria-label={`${countOf(row.issues.length, 'note')} on ${path}`}
              onClick={() => onShow('notes')}
            >
              {countOf(row.issues.length, 'note')}
            </Button>
          )}
        </td>
      </tr>
      {shown === null ? null : (
        <tr>
          <td colSpan={COLUMNS} className={styles.below}>
            {shown === 'notes' ? (
              <RemarkList remarks={row.issues} />
            ) : row.source === null ? null : (
              <div className={styles.choice}>
                <span>Read as</span>
                <ReadAs
                  sha256={row.source.sha256}
                  name={path}
                  readAs={row.runs.length > 0 && row.format !== null ? [row.format] : []}
                />
                <span className={text.secondary}>
                  {row.runs.length > 0
                    ? 'The run that is here stays; the other is a run of its own.'
                    : 'Its bytes are here until this import is dismissed.'}
                </span>
              </div>
            )}
          </td>
        </tr>
      )}
    </>
  );
}

function Became(props: { row: ImportRow }) {
  const { row } = props;
  if (row.partCount !== null) {
    return (
      <span
        className={text.secondary}
      >{`unpacked: ${countOf(row.partCount, 'entry', 'entries')}`}</span>
    );
  }
  const isFailed = row.fate === 'failed';
  return (
    <>
      <span className={classNames(styles.fate, isFailed && text.error)}>
        <Icon name={ICONS[row.fate]} small />
        {FATE_WORDS[row.fate]}
      </span>
      {row.error === undefined ? null : (
        <span>
          <Worded text={failureText(row.path, row.error)} />
        </span>
      )}
      {row.fate === 'setAside' ? (
        <span className={text.secondary}>
          <Worded text={row.issues[0]?.message ?? 'no run in it'} />
        </span>
      ) : null}
      {row.runs.slice(0, MOST_RUNS).map((run) => (
        <Link
          key={run.id}
          to="/runs/$runId"
          params={{ runId: run.id }}
          search={{}}
          title={`${visibleLine(run.title)}, ${countOf(run.steps, 'step')}`}
          className={text.ellipsis}
          dir={directionOf(run.title)}
        >
          {visibleLine(run.title)}
        </Link>
      ))}
      {row.runs.length > MOST_RUNS ? (
        <span className={text.secondary}>
          {`and ${countOf(row.runs.length - MOST_RUNS, 'more run')}`}
        </span>
      ) : null}
    </>
  );
}

/** The file's name stands beside it. */
function failureText(path: string, error: NonNullable<ImportRow['error']>): string {
  const { message, hint } = error;
  const named = `${path} `;
  const words = message.startsWith(named) ? `It ${message.slice(named.length)}` : message;
  return `${words} ${hint}`.trim();
}

/** The four counts add up to the total; nothing was counted of what wasn't read. */
function Counts(props: { row: ImportRow }) {
  const { records } = props.row;
  if (records.total === 0) {
    return [0, 1, 2, 3].map((column) => (
      <td key={column} className={styles.number}>
        <NotRecorded title="no records were counted" />
      </td>
    ));
  }
  const { understood, setAside, notUnderstood, malformed, total } = records;
  const counts = [
    { name: 'understood', count: understood, isLoss: false },
    { name: 'set aside', count: setAside, isLoss: false },
    { name: 'not understood', count: notUnderstood, isLoss: true },
    { name: 'malformed', count: malformed, isLoss: true },
  ];
  return counts.map(({ name, count, isLoss }) => (
    <td
      key={name}
      className={classNames(styles.number, isLoss && count !== null && count > 0 && styles.loss)}
      title={
        count === null
          ? `${name}: not told apart by the version that read it`
          : `${formatCount(count)} of ${countOf(total, 'record')} ${name}`
      }
    >
      {count === null ? '—' : formatCount(count)}
    </td>
  ));
}
