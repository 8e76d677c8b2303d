import type { Citation, Mark } from '@misstep/model';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { Chip } from '../../ui/chip.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { momentText } from '../run/amounts.ts';
import { ProblemLine } from '../shell/problem-notice.tsx';
import { VisibleText } from '../step-panel/visible-text-view.tsx';
import styles from './mark.module.css';
import type { MarkAreaProps } from './mark-area.tsx';
import { citationText, listInWords, type MarkSpot, spotText, whatMarkLacks } from './mark-place.ts';

/** What the person judged: where, which kind, on what value, why. And what it still lacks. */
export function MarkBlock(props: MarkAreaProps & { current: Mark; spot: MarkSpot }) {
  const { current, spot } = props;
  const lacks = whatMarkLacks(current);
  const isNeutral = spot.kind === 'noDeviation';
  const cited = current.citations.filter((citation) => citation.part !== 'step');
  return (
    <section
      className={classNames(styles.block, isNeutral && styles.neutral)}
      aria-label="The mark"
    >
      <span className={isNeutral ? undefined : styles.flag}>
        <Icon name={isNeutral ? 'check' : 'flag'} />
      </span>
      <div className={styles.words}>
        <div className={styles.line}>
          <b className={styles.title}>{titleOf(spot)}</b>
          {current.category === null ? null : <Chip tone="markLine">{current.category}</Chip>}
          <span className={styles.spacer} />
          <span
            className={styles.signed}
          >{`${current.author}, ${momentText(current.createdAt)}`}</span>
          {isNeutral || spot.kind === 'lost' ? (
            <button
              type="button"
              className={styles.link}
              onClick={() => props.setMark.mutate(null)}
            >
              take back
            </button>
          ) : (
            <button type="button" className={styles.link} onClick={props.onOpenForm}>
              edit
            </button>
          )}
        </div>
        {cited.length > 0 || current.reason !== '' ? (
          <div className={styles.reason}>
            {cited.length === 0 ? null : (
              <>
                {'Cites '}
                {cited.map((each, at) => (
                  <Fragment
                    key={`${each.stepId}${each.part}${each.pointer}${each.experimentId ?? each.replayId ?? ''}`}
                  >
                    {at === 0 ? '' : ', '}
                    <Cited citation={each} runId={current.runId} />
                  </Fragment>
                ))}
                {current.reason === '' ? '.' : ': '}
              </>
            )}
            <VisibleText text={current.reason} />
          </div>
        ) : null}
        {lacks.length > 0 ? (
          <div className={styles.lacks}>{`Lacks ${listInWords(lacks)}.`}</div>
        ) : null}
        {props.setMark.error === null ? null : <ProblemLine error={props.setMark.error} />}
      </div>
    </section>
  );
}

function titleOf(spot: MarkSpot): string {
  switch (spot.kind) {
    case 'step':
      return 'First wrong step';
    case 'gap':
      return `A call should be ${spotText(spot)}`;
    case 'noDeviation':
      return 'No deviation found';
    case 'lost':
      return `Marked: ${spotText(spot)}`;
  }
}

/** A place in the step by its pointer; a verdict or a live answer by a link to where it is. */
function Cited({ citation, runId }: { citation: Citation; runId: string }) {
  if (citation.replayId !== undefined) {
    return (
      <Link
        to="/runs/$runId/replay/$stepId"
        params={{ runId, stepId: citation.stepId }}
        search={{ replay: citation.replayId }}
        className={styles.link}
      >
        {citationText(citation)}
      </Link>
    );
  }
  if (citation.experimentId === undefined) {
    return <span className={styles.pointer}>{citation.pointer || citation.part}</span>;
  }
  return (
    <Link
      to="/comparisons/$experimentId"
      params={{ experimentId: citation.experimentId }}
      className={styles.link}
    >
      the verdict of a comparison
    </Link>
  );
}
