import { type AttributionMatrix, type Experiment, shortHash } from '@misstep/model';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { countOf, formatCount } from '../../ui/format-count.ts';
import { datePartsOfInstant, formatDateParts } from '../../ui/format-time.ts';
import { Icon } from '../../ui/icon.tsx';
import { PanelHead } from '../../ui/panel-head.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './experiment.module.css';
import { HeldStill } from './held-still.tsx';
import { NotShown, OutcomeFacts } from './outcome-facts.tsx';

/** What the verdict rests on, and what it leaves open. */
export function AttributionAside(props: { experiment: Experiment; matrix: AttributionMatrix }) {
  const { experiment, matrix } = props;
  return (
    <aside className={styles.column} aria-label="Outcomes">
      <div className={styles.scroll}>
        <PanelHead
          title="Outcome signatures"
          note={`${formatCount(matrix.signatures.length)} seen in ${countOf(matrix.sentCount, 'send')}`}
        />
        {matrix.signatures.map((row) => (
          <div key={row.signature} className={styles.signature}>
            <div className={styles.signatureHead}>
              <span className={styles.signatureName}>{shortHash(row.short)}</span>
              <span>{`${countOf(row.sendCount, 'send')}, ${countOf(row.cellCount, 'call')}`}</span>
            </div>
            <div className={styles.secondary}>{visibleLine(signatureWords(row, matrix))}</div>
          </div>
        ))}
        {matrix.differences.length === 0 ? null : (
          <dl className={styles.changes} aria-label="From A’s answer to B’s">
            {matrix.differences.map(({ pointer, a, b }) => (
              <Fragment key={pointer}>
                <dt title={visibleLine(pointer)}>{visibleLine(pointer || '(root)')}</dt>
                <dd title={visibleLine(a)}>{visibleLine(a)}</dd>
                <dd className={styles.arrow}>
                  <Icon name="out" small />
                </dd>
                <dd title={visibleLine(b)}>{visibleLine(b)}</dd>
              </Fragment>
            ))}
          </dl>
        )}
        {matrix.differencesOmitted > 0 ? (
          <p
            className={styles.note}
          >{`${countOf(matrix.differencesOmitted, 'more place', 'more places')} differ`}</p>
        ) : null}
        <OutcomeFacts matrix={matrix} />
        <HeldStill experiment={experiment} />
        <NotShown notShown={matrix.notShown}>
          {experiment.boundaries.map(({ argument, callCount }) => (
            <li key={argument}>
              <Icon name="out" />
              <span>
                <Link
                  to="/comparisons/new"
                  search={{ from: experiment.id, kind: 'boundary', argument }}
                  title="Shows the plan first; nothing is sent by this"
                >
                  Find the boundary
                </Link>
                {' of '}
                <span className={styles.mono}>{visibleLine(argument)}</span>
                {`, ${countOf(callCount, 'send')} at most.`}
              </span>
            </li>
          ))}
        </NotShown>
      </div>
      <Allowed experiment={experiment} />
    </aside>
  );
}

/** Who allowed the plan, and when. */
export function Allowed(props: { experiment: Experiment }) {
  const { plan, startedAt, confirmedTool } = props.experiment;
  const at = formatDateParts(datePartsOfInstant(Date.parse(startedAt)), new Date().getFullYear());
  const sends = countOf(plan.callCount, 'send');
  const mayChange = plan.destructiveCount === 0 ? '' : ', each of which may change something';
  // What the plan said of the server was true before it was asked; this stays true.
  const allowed =
    confirmedTool === null
      ? `No name was asked for, as you trust this server’s readOnlyHint; ${sends} at most, begun on ${at}.`
      : `By the tool’s name you allowed ${sends}${mayChange}, on ${at}.`;
  return (
    <div className={styles.allowed}>
      <Icon name="lock" />
      <span>{allowed}</span>
    </div>
  );
}

function signatureWords(
  row: AttributionMatrix['signatures'][number],
  matrix: AttributionMatrix,
): string {
  const side =
    row.signature === matrix.outcomeA ? 'a' : row.signature === matrix.outcomeB ? 'b' : null;
  if (row.words !== 'the whole result') return row.words;
  if (side === null) return 'another result than A’s and B’s';
  if (matrix.differences.length === 0) return side === 'a' ? 'A’s result' : 'B’s result';
  return matrix.differences
    .slice(0, 3)
    .map((each) => `${each.pointer.replace(/^\/(structuredContent\/)?/, '')} ${each[side]}`)
    .join(', ');
}
