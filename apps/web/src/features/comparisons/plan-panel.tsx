import type { ExperimentPlan } from '@misstep/model';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useStartExperiment } from '../../api/experiments.ts';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/field.tsx';
import { countOf, formatCount } from '../../ui/format-count.ts';
import { formatLongDuration } from '../../ui/format-time.ts';
import { Icon } from '../../ui/icon.tsx';
import { PanelHead } from '../../ui/panel-head.tsx';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './experiment.module.css';
import setupStyles from './setup.module.css';

/** What would be sent, and the one confirmation for all of it. */
export function PlanPanel(props: {
  runId: string;
  plan: ExperimentPlan | null;
  missing: string | null;
  isPlanning: boolean;
  error: unknown;
}) {
  const { plan } = props;
  return (
    <aside className={styles.column} aria-label="Plan">
      <PanelHead
        title="Plan"
        note={
          plan === null ? 'nothing is sent before you confirm it' : countOf(plan.callCount, 'call')
        }
      />
      {plan === null ? (
        <div className={setupStyles.words}>
          {props.missing !== null ? (
            <p role="status">{props.missing}</p>
          ) : props.error !== null ? (
            <ProblemNotice title="This can’t be sent" error={props.error} />
          ) : props.isPlanning ? (
            <span className={setupStyles.waitingBar} aria-hidden="true" />
          ) : null}
        </div>
      ) : (
        <ReadyPlan runId={props.runId} plan={plan} />
      )}
    </aside>
  );
}

function ReadyPlan(props: { runId: string; plan: ExperimentPlan }) {
  const { plan } = props;
  const navigate = useNavigate();
  const start = useStartExperiment(props.runId);
  const [typed, setTyped] = useState('');
  // One for the plan as it is shown here: pressed twice, it begins one experiment.
  const [key] = useState(() => crypto.randomUUID());
  const pressed = useRef(false);
  const blocked =
    plan.needsName && typed !== plan.tool ? 'Type the tool name to allow this plan.' : null;
  const send = () => {
    if (pressed.current || blocked !== null) return;
    pressed.current = true;
    start.mutate(
      { plan, confirmTool: typed === '' ? null : typed, idempotencyKey: key },
      {
        onSuccess: (experiment) =>
          void navigate({
            to: '/comparisons/$experimentId',
            params: { experimentId: experiment.id },
            replace: true,
          }),
        onSettled: () => {
          pressed.current = false;
        },
      },
    );
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard. */}
      <section className={styles.scroll} aria-label="What would be sent" tabIndex={0}>
        <dl className={styles.facts}>
          <dt>Calls</dt>
          <dd>
            {plan.request.kind === 'race'
              ? `${formatCount(plan.callCount)}, ${plan.request.atOnce} of them at once`
              : `${formatCount(plan.callCount)} at most, one at a time`}
          </dd>
          <dt>Rate</dt>
          <dd>{`at least ${formatCount(plan.request.gapMs)} ms apart`}</dd>
          <dt>Expected</dt>
          <dd>{expectedWords(plan)}</dd>
          <dt>Server</dt>
          <dd>{`${plan.request.targetName}, its own until this ends`}</dd>
          <dt>Tool</dt>
          <dd className={styles.mono}>{visibleLine(plan.tool)}</dd>
          <dt>May change</dt>
          <dd>
            {plan.destructiveCount === 0
              ? 'nothing, by its word'
              : `something with each of ${countOf(plan.destructiveCount, 'call')}`}
          </dd>
          {plan.wholeLattice === null ? null : (
            <>
              <dt>Combinations</dt>
              <dd>
                {plan.wholeLattice
                  ? 'all of them (4 arguments at most differ)'
                  : 'each argument alone, from either side: more than 4 differ'}
              </dd>
            </>
          )}
        </dl>
        <PanelHead
          title="Order"
          level={3}
          note="as they go out; what is refused on the way ends it"
        />
        <ol className={setupStyles.order}>
          {rounds(plan).map(({ round, labels }) => (
            <li key={round}>
              <span className={setupStyles.round}>{round}</span>
              <span>{labelWords(labels)}</span>
            </li>
          ))}
        </ol>
      </section>
      <div className={setupStyles.confirm}>
        <Icon name="lock" />
        <div className={setupStyles.confirmWords}>
          <span className={styles.strong}>{visibleLine(plan.harm)}</span>
          <span className={styles.secondary}>
            {plan.needsName
              ? `Type the tool name to allow all ${countOf(plan.callCount, 'call')} with the arguments shown.`
              : 'No name is asked for. Sending begins with the button.'}
          </span>
          {plan.needsName ? (
            <TextInput
              mono
              aria-label="Type the tool name to allow this plan"
              placeholder={plan.tool}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          ) : null}
        </div>
      </div>
      {start.error === null ? null : <ProblemNotice title="Nothing was sent" error={start.error} />}
      <div className={setupStyles.foot}>
        <Button
          kind="primary"
          className={setupStyles.send ?? ''}
          unavailable={blocked !== null || start.isPending}
          title={blocked ?? 'Begins the plan, once'}
          onClick={send}
        >
          <Icon name="play" small />
          {`Send ${countOf(plan.callCount, 'call')}`}
        </Button>
      </div>
    </>
  );
}

function expectedWords({ expected }: ExperimentPlan): string {
  if (expected.ms === null) return 'not known: this call was never timed';
  const time = formatLongDuration(expected.ms * 1e6);
  return expected.basis === 'recording'
    ? `about ${time}, by the recorded call`
    : `about ${time}, by ${countOf(expected.sampleCount, 'replay')}`;
}

/** Where the calls of a round are chosen on the way they are all called alike: that is said once. */
function labelWords(labels: readonly string[]): string {
  const [first = ''] = labels;
  return labels.length > 1 && labels.every((label) => label === first)
    ? `${visibleLine(first)}, ${formatCount(labels.length)} times at most`
    : labels.map(visibleLine).join(' · ');
}

function rounds({ order }: ExperimentPlan): { round: string; labels: string[] }[] {
  const found: { round: string; labels: string[] }[] = [];
  for (const { round, label } of order) {
    const last = found.at(-1);
    if (last?.round === round) last.labels.push(label);
    else found.push({ round, labels: [label] });
  }
  return found;
}
