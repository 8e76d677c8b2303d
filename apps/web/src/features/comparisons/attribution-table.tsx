import {
  type AttributionCell,
  type AttributionMatrix,
  type Experiment,
  shortHash,
} from '@misstep/model';
import { Chip } from '../../ui/chip.tsx';
import { classNames } from '../../ui/class-names.ts';
import { formatStepDuration } from '../../ui/format-time.ts';
import { NotRecorded } from '../../ui/not-recorded.tsx';
import { useCurrentRow } from '../../ui/use-current-row.ts';
import { useMedia } from '../../ui/use-media.ts';
import { visibleLine } from '../step-panel/visible-text.ts';
import { SideBox } from './calls-side-by-side.tsx';
import { CutShort, cutShortAt } from './cut-short.tsx';
import styles from './experiment.module.css';
import matrixStyles from './matrix.module.css';
import { sendsWords } from './running-words.ts';
import { SentMarks } from './sent-marks.tsx';
import { shownPart } from './shown-part.ts';
import { type TableRow, tableRows } from './table-rows.ts';
import { ONE_COLUMN } from './two-columns.tsx';

/** Up to here each argument has a column; beyond, only the switched one is named. */
const MOST_COLUMNS = 4;

const GROUPS: Readonly<Record<AttributionCell['group'], { head: string; note: string }>> = {
  base: { head: 'Both calls as they are', note: 'sent twice first, then once in every repeat' },
  intoA: { head: 'A with one value taken from B', note: 'which one is enough?' },
  intoB: { head: 'B with one value taken from A', note: 'which one is needed?' },
  mixed: { head: 'Other combinations', note: 'do they act together?' },
};

interface Props {
  readonly experiment: Experiment;
  readonly matrix: AttributionMatrix;
  readonly cursor: number;
  readonly onCursor: (row: number) => void;
}

/** Every planned combination; a row fills in place as its sends come. */
export function AttributionTable(props: Props) {
  const { matrix } = props;
  const shown = matrix.arguments.length <= MOST_COLUMNS ? matrix.arguments : [];
  const isNarrow = useMedia(ONE_COLUMN);
  const all = tableRows(matrix).map((row, index) => ({ row, index }));
  const groups = (['base', 'intoA', 'intoB', 'mixed'] as const)
    .map((group) => ({ group, rows: all.filter(({ row }) => row.group === group) }))
    .filter(({ rows }) => rows.length > 0);
  // A narrow window has no column of short names.
  const columns = 6 + Math.max(1, shown.length) - (isNarrow ? 1 : 0);
  return (
    <table className={matrixStyles.matrix} aria-label="Combinations">
      <colgroup>
        <col className={matrixStyles.colCall} />
        {shown.length === 0 ? <col /> : shown.map(({ name }) => <col key={name} />)}
        <col className={matrixStyles.colOutcome} />
        <col className={matrixStyles.colShort} />
        <col className={matrixStyles.colEffect} />
        <col className={matrixStyles.colRepeats} />
        <col className={matrixStyles.colMedian} />
      </colgroup>
      <thead>
        <tr>
          <th>Call</th>
          {shown.length === 0 ? <th>Switched</th> : null}
          {shown.map(({ name }) => (
            <th key={name} className={matrixStyles.argumentHead} title={visibleLine(name)}>
              {visibleLine(name)}
            </th>
          ))}
          <th title={matrix.signature}>{outcomeHead(matrix)}</th>
          <th className={matrixStyles.short}>Outcome</th>
          <th>Effect</th>
          <th>Repeats</th>
          <th className={matrixStyles.numeric}>Median</th>
        </tr>
      </thead>
      {groups.map(({ group, rows }) => (
        <tbody key={group}>
          <tr className={matrixStyles.group}>
            <th colSpan={columns} scope="rowgroup">
              {GROUPS[group].head}{' '}
              <span>
                {group === 'intoB' && matrix.arguments.length === 2
                  ? `${GROUPS.intoB.note} the same two calls, read from B`
                  : GROUPS[group].note}
              </span>
            </th>
          </tr>
          {rows.map(({ row, index }) => (
            <Row key={row.id} {...props} row={row} index={index} shown={shown} />
          ))}
        </tbody>
      ))}
    </table>
  );
}

function Row(
  props: Props & {
    row: TableRow;
    index: number;
    shown: AttributionMatrix['arguments'];
  },
) {
  const { row, matrix, shown, experiment } = props;
  const { cell } = row;
  const isCurrent = props.index === props.cursor;
  const element = useCurrentRow(isCurrent);
  const cut = cutShortAt(experiment, (id) => id.endsWith(` ${cell.key}`));
  const planned = experiment.plan.order.filter(({ id }) => id.endsWith(` ${cell.key}`)).length;
  return (
    <tr
      ref={element}
      className={classNames(
        (row.group === 'intoA' || row.group === 'intoB') &&
          row.effect === 'changes' &&
          matrixStyles.finding,
        isCurrent && matrixStyles.current,
      )}
      {...(isCurrent ? { 'aria-current': true } : {})}
      onClick={() => props.onCursor(props.index)}
    >
      <td className={matrixStyles.callCell}>{visibleLine(rowName(row, experiment, matrix))}</td>
      {shown.length === 0 ? (
        <td>
          <Switched row={row} matrix={matrix} />
        </td>
      ) : null}
      {shown.map((difference, index) => (
        <td key={difference.name}>
          <Value
            side={cell.key[index] === 'B' ? 'B' : 'A'}
            difference={difference}
            isFlipped={row.flipped === difference.name}
          />
        </td>
      ))}
      <td>
        {cell.sends.length === 0 && cut !== null ? (
          <CutShort send={cut} />
        ) : (
          <Outcome cell={cell} matrix={matrix} />
        )}
      </td>
      <td className={classNames(matrixStyles.short, styles.mono)}>
        {shortOf(cell, matrix) ?? <NotRecorded title="not sent yet" />}
      </td>
      <td>
        <Effect effect={row.effect} />
      </td>
      <td>
        <span className={matrixStyles.repeats}>
          <SentMarks planned={planned} sent={cell.sends.length + (cut === null ? 0 : 1)} />
          <span
            className={matrixStyles.small}
          >{`${sendsWords(cell.sends.length, planned, cell.isStable)}${cut === null ? '' : ', 1 stopped'}`}</span>
        </span>
      </td>
      <td className={matrixStyles.numeric}>
        {cell.medianNs === null ? (
          <NotRecorded title="no answer came" />
        ) : (
          formatStepDuration(cell.medianNs)
        )}
      </td>
    </tr>
  );
}

function Value(props: {
  side: 'A' | 'B';
  difference: AttributionMatrix['arguments'][number];
  isFlipped: boolean;
}) {
  const { side, difference, isFlipped } = props;
  const value = side === 'A' ? difference.a : difference.b;
  const other = side === 'A' ? difference.b : difference.a;
  const words = value === null ? 'left out' : visibleLine(value);
  return (
    <span
      className={matrixStyles.cellValue}
      data-flipped={isFlipped ? 'yes' : 'no'}
      title={words.slice(0, 2000)}
    >
      <SideBox side={side} isFlipped={isFlipped} />
      <span className={value === null ? styles.quiet : matrixStyles.cellText}>
        {value === null ? words : visibleLine(shownPart(value, other))}
      </span>
    </span>
  );
}

function Switched(props: { row: TableRow; matrix: AttributionMatrix }) {
  const { row, matrix } = props;
  const difference = matrix.arguments.find(({ name }) => name === row.flipped);
  if (difference === undefined) return <NotRecorded title="nothing is switched">—</NotRecorded>;
  const side = row.group === 'intoA' ? 'B' : 'A';
  return <Value side={side} difference={difference} isFlipped />;
}

function Outcome(props: { cell: AttributionCell; matrix: AttributionMatrix }) {
  const { cell, matrix } = props;
  if (cell.sends.length === 0) return <NotRecorded title="not sent yet" />;
  if (cell.signature === null) {
    // Without a signature only answers that were told apart are known to differ.
    return cell.isStable === false ? (
      <span className={styles.strong}>not stable</span>
    ) : (
      <span className={styles.secondary} title="an answer was too large to be looked into">
        not known
      </span>
    );
  }
  if (cell.count === null) {
    const words = matrix.signatureText === 'hash' ? hashWords(cell, matrix) : cell.signature;
    return (
      <span className={matrixStyles.outcome} title={visibleLine(cell.signature)}>
        {visibleLine(words)}
      </span>
    );
  }
  const most = Math.max(1, ...matrix.cells.map(({ count }) => count ?? 0));
  return (
    <span className={matrixStyles.counted}>
      <b>{cell.count}</b>
      <span className={matrixStyles.track}>
        <i style={{ width: `${(cell.count / most) * 100}%` }} />
      </span>
    </span>
  );
}

function hashWords(cell: AttributionCell, matrix: AttributionMatrix): string {
  if (cell.signature === matrix.outcomeA) return 'as A';
  if (cell.signature === matrix.outcomeB) return 'as B';
  return cell.signature?.startsWith('(') ? cell.signature : 'another';
}

function Effect(props: { effect: AttributionCell['effect'] }) {
  switch (props.effect) {
    case 'baseline':
      return <span className={styles.quiet}>baseline</span>;
    case 'changes':
      return (
        <Chip icon="swap" tone="inverse">
          changes
        </Chip>
      );
    case 'no change':
      return <Chip icon="equal">no change</Chip>;
    case 'not known':
      return <NotRecorded title="not known yet" />;
  }
}

function rowName(
  { cell, group, flipped }: TableRow,
  experiment: Experiment,
  matrix: AttributionMatrix,
): string {
  if (group === 'base') {
    const side = cell.key.charAt(0);
    const call = experiment.plan.calls.find(({ name }) => name === side);
    const from =
      call?.from === 'recorded'
        ? `step ${call.stepSeq}`
        : call?.from === 'replay'
          ? 'a replay'
          : 'your edit';
    return `Call ${side}, ${from}`;
  }
  if (group === 'intoA') return `A, B’s ${flipped ?? ''}`;
  if (group === 'intoB') return `B, A’s ${flipped ?? ''}`;
  const names = matrix.arguments
    .filter((_, index) => cell.key[index] === 'B')
    .map(({ name }) => name);
  return `A, B’s ${names.join(' and ')}`;
}

function shortOf(cell: AttributionCell, matrix: AttributionMatrix): string | null {
  const row = matrix.signatures.find(({ signature }) => signature === cell.signature);
  return row === undefined ? null : shortHash(row.short);
}

function outcomeHead({ signatureText }: AttributionMatrix): string {
  const pointer = signatureText.slice(signatureText.indexOf(':') + 1);
  if (signatureText.startsWith('count:')) return `Items at ${pointer || 'the root'}`;
  if (signatureText.startsWith('value:')) return `Value at ${pointer || 'the root'}`;
  return signatureText === 'error' ? 'Error' : 'Result';
}
