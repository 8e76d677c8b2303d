import { EVIDENCE_GRADES, STEP_FLAGS } from '@misstep/model';
import { memo } from 'react';
import { Chip } from '../../ui/chip.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EvidenceDot } from '../../ui/evidence.tsx';
import { formatTokens } from '../../ui/format-count.ts';
import { formatStepDuration } from '../../ui/format-time.ts';
import { Icon } from '../../ui/icon.tsx';
import { NotRecorded } from '../../ui/not-recorded.tsx';
import { directionOf } from '../../ui/text-direction.ts';
import type { RunModel } from '../run/use-run-model.ts';
import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './call-tree.module.css';
import { KIND_ICONS, kindOf, namesTool, rowName } from './row-words.ts';
import { StepChipView } from './step-chip-view.tsx';
import { CHIPS_IN_A_ROW, chipsOf, externalChip } from './step-chips.ts';
import type { TimeAxis } from './time-axis.ts';
import { hasChildren } from './tree-shape.ts';
import { WaterfallCell } from './waterfall-cell.tsx';

/** `later` = after the mark, which says nothing of being influenced by it. */
export type RowMarkState = 'none' | 'marked' | 'later' | 'gapAfter';

const MARK_WORDS: Readonly<Record<RowMarkState, string | null>> = {
  none: null,
  marked: 'the mark',
  later: null,
  gapAfter: 'the mark is on the gap after it',
};

export interface TreeRowProps {
  readonly model: RunModel;
  readonly index: number;
  /** Row in the list of visible rows, from 0. */
  readonly row: number;
  readonly topPx: number;
  readonly isTree: boolean;
  readonly isOpen: boolean;
  readonly isSelected: boolean;
  readonly takesFocus: boolean;
  readonly markState: RowMarkState;
  /** What the file itself says of the step; null = nothing. */
  readonly external: string | null;
  readonly axis: TimeAxis | null;
  readonly waterfallPx: number;
}

/** One step: 24 px, the same height in every state. Clicks are handled by the tree. */
export const TreeRow = memo(function TreeRow(props: TreeRowProps) {
  const { model, index, markState } = props;
  const { skeleton, shape } = model;
  const isParent = hasChildren(shape, index);
  const depth = shape.depths[index] ?? 0;
  return (
    // Focus and keys are the tree's: a row only carries the one tab stop.
    <div
      role="row"
      aria-rowindex={props.row + 2}
      aria-level={props.isTree ? depth + 1 : 1}
      {...(props.isTree
        ? {
            'aria-posinset': shape.positions[index] ?? 1,
            'aria-setsize': shape.setSizes[index] ?? 1,
          }
        : {})}
      {...(props.isTree && isParent ? { 'aria-expanded': props.isOpen } : {})}
      aria-selected={props.isSelected}
      aria-label={rowName(
        skeleton,
        index,
        MARK_WORDS[markState],
        props.external === null ? null : 'external mark',
      )}
      tabIndex={props.takesFocus ? 0 : -1}
      data-row={props.row}
      data-index={index}
      className={classNames(
        styles.columns,
        styles.row,
        props.isSelected && styles.selected,
        markState === 'marked' && styles.marked,
        markState === 'later' && styles.later,
      )}
      style={{ transform: `translateY(${props.topPx}px)` }}
    >
      <span role="gridcell" className={styles.gutter}>
        {markState === 'marked' ? <Icon name="flag" small /> : null}
        {markState === 'gapAfter' ? <span className={styles.gapFlag} /> : null}
      </span>
      <span role="gridcell" className={styles.seq}>
        {index + 1}
      </span>
      <NameCell {...props} depth={depth} isParent={isParent} />
      <SummaryCell
        model={model}
        index={index}
        external={props.external}
        isTimed={props.axis !== null}
      />
      <span role="gridcell" className={styles.evidence}>
        <EvidenceDot grade={EVIDENCE_GRADES[skeleton.evidence[index] ?? 3] ?? 'derived'} />
      </span>
      <TokensCell
        tokens={skeleton.tokens[index] ?? null}
        isModel={kindOf(skeleton, index) === 'model'}
      />
      <DurationCell model={model} index={index} />
      <WaterfallCell
        model={model}
        index={index}
        axis={props.axis}
        widthPx={props.waterfallPx}
        isMarked={markState === 'marked'}
      />
    </div>
  );
});

function NameCell(props: TreeRowProps & { depth: number; isParent: boolean }) {
  const { model, index } = props;
  const { skeleton } = model;
  const kind = kindOf(skeleton, index);
  const server = skeleton.servers[index] ?? null;
  const tool = skeleton.tools[index] ?? null;
  // What is cut in the row is read whole here.
  const title =
    namesTool(skeleton, index) && tool !== null
      ? visibleLine(server === null ? tool : `${server} › ${tool}`)
      : visibleLine(skeleton.names[index] ?? '');
  return (
    <span role="gridcell" className={styles.name} title={title}>
      {props.isTree && props.depth > 0 ? <Indent depth={props.depth} /> : null}
      {props.isTree && props.isParent ? (
        <span className={styles.caret} data-fold={index}>
          <Icon name={props.isOpen ? 'down' : 'right'} small />
        </span>
      ) : (
        <span className={styles.caret} />
      )}
      <Icon name={KIND_ICONS[kind]} className={styles.kind} />
      {namesTool(skeleton, index) && tool !== null ? (
        <span className={styles.call}>
          {server === null ? null : (
            <span className={styles.server}>{`${visibleLine(server)} › `}</span>
          )}
          <span className={styles.tool}>{visibleLine(tool)}</span>
        </span>
      ) : (
        <span className={classNames(styles.words, kind === 'user' && styles.turn)}>
          {visibleLine(skeleton.names[index] ?? '')}
        </span>
      )}
    </span>
  );
}

const DEEPEST_INDENT = 8;

/** One rule a level; beyond eight levels the number says how deep. */
function Indent(props: { depth: number }) {
  const shown = Math.min(props.depth, DEEPEST_INDENT);
  const rules = [];
  for (let level = 0; level < shown; level += 1) rules.push(<i key={level} />);
  return (
    <span className={styles.indent}>
      {rules}
      {props.depth > DEEPEST_INDENT ? (
        <span className={styles.depth} title={`level ${props.depth + 1}`}>
          {props.depth + 1}
        </span>
      ) : null}
    </span>
  );
}

function SummaryCell(props: {
  model: RunModel;
  index: number;
  external: string | null;
  isTimed: boolean;
}) {
  const { skeleton } = props.model;
  const summary = visibleLine(skeleton.summaries[props.index] ?? '');
  const flags = skeleton.flags[props.index] ?? 0;
  const chips = chipsOf(
    skeleton.statuses[props.index] ?? 0,
    // Where no step has a time the head of the column says so once.
    props.isTimed ? flags : flags & ~STEP_FLAGS.noTime,
  );
  const rest = chips.slice(CHIPS_IN_A_ROW);
  // Arguments go by their names, from the left; words go as they begin, and are cut where they end.
  const isArguments = namesTool(skeleton, props.index);
  return (
    <span role="gridcell" className={styles.summary}>
      <bdi
        className={isArguments ? styles.argument : styles.saying}
        dir={isArguments ? 'ltr' : (directionOf(summary) ?? 'ltr')}
        title={summary}
      >
        {summary}
      </bdi>
      {props.external === null ? null : <StepChipView chip={externalChip(props.external)} />}
      {chips.slice(0, CHIPS_IN_A_ROW).map((chip) => (
        <StepChipView key={chip.word} chip={chip} />
      ))}
      {rest.length > 0 ? (
        <Chip title={rest.map((chip) => chip.word).join(', ')}>{`+${rest.length}`}</Chip>
      ) : null}
    </span>
  );
}

function TokensCell(props: { tokens: number | null; isModel: boolean }) {
  return (
    <span role="gridcell" className={classNames(styles.number, styles.tokens)}>
      {props.tokens !== null ? (
        <span title={`${props.tokens} tokens`}>{formatTokens(props.tokens)}</span>
      ) : props.isModel ? (
        <NotRecorded title="tokens not recorded" />
      ) : null}
    </span>
  );
}

function DurationCell(props: { model: RunModel; index: number }) {
  const { skeleton } = props.model;
  const durationNs = skeleton.durationsNs[props.index] ?? null;
  const kind = kindOf(skeleton, props.index);
  const isMoment = kind === 'user' || kind === 'note';
  return (
    <span role="gridcell" className={styles.number}>
      {durationNs !== null ? (
        isMoment && durationNs === 0 ? null : (
          formatStepDuration(durationNs)
        )
      ) : isMoment ? null : (
        <NotRecorded title="duration not recorded" />
      )}
    </span>
  );
}
