import type { TextDifference } from '@misstep/contract';
import type { BinaryFact } from '@misstep/model';
import { useTextDifference } from '../../api/replay-account.ts';
import { classNames } from '../../ui/class-names.ts';
import { countOf, formatBytes, formatCount } from '../../ui/format-count.ts';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { VisibleText } from '../step-panel/visible-text-view.tsx';
import styles from './comparison.module.css';
import parts from './comparison-parts.module.css';
import columns from './replay-screen.module.css';

type Line = TextDifference['lines'][number];

const SIGNS: Readonly<Record<Line['kind'], string>> = {
  same: ' ',
  recorded: '−',
  live: '+',
  gap: '⋯',
};

/** Recorded and live result line by line; equal stretches are folded and counted. */
export function TextDifferenceView(props: { replayId: string }) {
  const found = useTextDifference(props.replayId);
  if (found.error !== null) {
    return <ProblemNotice error={found.error} title="The two texts can't be laid side by side" />;
  }
  if (found.data === undefined) return <div className={columns.spacer} />;
  const { difference } = found.data;
  if (difference === null) {
    return (
      <>
        <p className={columns.empty}>
          There are not two texts: the recording or the answer has none.
        </p>
        <div className={columns.spacer} />
      </>
    );
  }
  const name = difference.recorded === 'wire' ? 'recorded wire' : 'transcript';
  return (
    <>
      <p className={styles.foot}>{`− ${name}, + live answer. ${difference.reading}.`}</p>
      <div className={parts.lines} role="region" aria-label="Text difference" tabIndex={0}>
        {difference.lines.map((line, order) => (
          <LineRow
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a difference never change.
            key={order}
            line={line}
          />
        ))}
        {difference.linesOmitted === 0 ? null : (
          <p className={styles.foot}>
            {`${countOf(difference.lines.length, 'line')} shown, ${formatCount(difference.linesOmitted)} more left out.`}
          </p>
        )}
      </div>
    </>
  );
}

function LineRow(props: { line: Line }) {
  const { line } = props;
  return (
    <div className={classNames(parts.line, parts[`line-${line.kind}`])}>
      <span className={parts.lineNumber}>{line.recordedLine ?? ''}</span>
      <span className={parts.lineNumber}>{line.liveLine ?? ''}</span>
      <span aria-hidden="true">{SIGNS[line.kind]}</span>
      {line.kind === 'gap' ? (
        <span className={parts.lineGap}>
          {countOf(line.omitted, 'line that is the same', 'lines that are the same')}
        </span>
      ) : (
        <span className={parts.lineText}>
          {line.binary === undefined ? (
            <>
              <VisibleText text={line.text} />
              {line.omitted === 0 ? null : ` +${formatCount(line.omitted)} characters`}
            </>
          ) : (
            <BinaryLine line={line} binary={line.binary} />
          )}
        </span>
      )}
    </div>
  );
}

/** Bytes by type, size and hash; the letters of their base64 tell nobody anything. */
function BinaryLine(props: { line: Line; binary: BinaryFact }) {
  const { line, binary } = props;
  const key = /^\s*"[^"]*": /.exec(line.text)?.[0] ?? '';
  const hash = binary.sha256 === null ? '' : `, SHA-256 ${binary.sha256}`;
  return (
    <>{`${key}${binary.mediaType ?? 'bytes'}, ${formatBytes(binary.sizeBytes ?? 0)}${hash}`}</>
  );
}
