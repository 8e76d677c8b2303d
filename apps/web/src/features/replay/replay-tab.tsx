import type { ReplaySummary, RunDetail, StepDetail } from '@misstep/contract';
import { Link } from '@tanstack/react-router';
import { useReplays } from '../../api/replays.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { countOf } from '../../ui/format-count.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { PanelHead } from '../../ui/panel-head.tsx';
import { groupReplays } from '../replays/group-replays.ts';
import { momentText } from '../run/amounts.ts';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { OutcomeChip } from './outcome-chip.tsx';
import { nameOf } from './replay-header.tsx';
import styles from './replay-tab.module.css';

/** This step's replays with how they ended, and the way to a new one. Nothing is sent from here. */
export function ReplayTab(props: {
  run: RunDetail;
  step: StepDetail;
  onReplay: (() => void) | null;
  /** The replay that the address names. */
  replayId: string | null;
}) {
  const { run, step } = props;
  const replays = useReplays({ runId: run.id, stepId: step.id });
  const list = replays.data?.replays ?? [];
  const total = replays.data?.total ?? 0;
  const entries = groupReplays(list);
  const own = entries.flatMap((entry) => (entry.kind === 'own' ? [entry.replay] : []));
  const experiments = entries.flatMap((entry) => (entry.kind === 'experiment' ? [entry] : []));
  const common = { run, step, list, total, replayId: props.replayId };
  return (
    <>
      <PanelHead
        title="Replays"
        level={3}
        note={replays.data === undefined ? undefined : countOf(total, 'replay')}
      >
        {props.onReplay === null ? null : (
          <Button small onClick={props.onReplay}>
            Replay this call <Kbd>R</Kbd>
          </Button>
        )}
      </PanelHead>
      {replays.error === null ? null : (
        <ProblemNotice error={replays.error} title="The replays can't be listed" />
      )}
      {replays.data !== undefined && list.length === 0 ? (
        <div className={styles.empty}>
          <span>
            {props.onReplay === null
              ? 'This step is no tool call: there is nothing to send again.'
              : 'This call was not sent again yet.'}
          </span>
          <span className={styles.quiet}>
            A replay sends this one call to a server that you configured. The recorded call is never
            changed.
          </span>
        </div>
      ) : null}
      <div className={styles.list}>
        {own.map((replay) => (
          <Item key={replay.id} {...common} replay={replay} />
        ))}
        {experiments.map(({ experimentId, replays: calls }) => (
          <details key={experimentId} className={styles.group}>
            <summary>{`${countOf(calls.length, 'call')} by one comparison, ${momentText(calls.at(-1)?.startedAt ?? '')}`}</summary>
            <Link className={styles.open} to="/comparisons/$experimentId" params={{ experimentId }}>
              Open the comparison
            </Link>
            {calls.map((replay) => (
              <Item key={replay.id} {...common} replay={replay} />
            ))}
          </details>
        ))}
      </div>
    </>
  );
}

function Item(props: {
  run: RunDetail;
  step: StepDetail;
  replay: ReplaySummary;
  list: readonly ReplaySummary[];
  total: number;
  replayId: string | null;
}) {
  const { run, step, replay } = props;
  return (
    <Link
      className={styles.item}
      aria-current={replay.id === props.replayId ? 'true' : undefined}
      to="/runs/$runId/replay/$stepId"
      params={{ runId: run.id, stepId: step.id }}
      search={{ replay: replay.id }}
    >
      <span className={styles.name}>{nameOf(replay.id, props.list, props.total)}</span>
      <span>
        <span className={styles.line}>
          {replay.outcome === null ? (
            <Chip icon="clock">{replay.state}</Chip>
          ) : (
            <OutcomeChip outcome={replay.outcome} />
          )}
          {replay.editedArguments ? <Chip tone="inverse">edited</Chip> : null}
          <span className={styles.quiet}>{replay.targetName}</span>
        </span>
        <span className={styles.sentence}>{replay.sentence ?? ''}</span>
      </span>
      <span className={styles.when}>{momentText(replay.startedAt)}</span>
    </Link>
  );
}
