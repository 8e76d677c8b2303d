import type { RunDetail, StepDetail } from '@misstep/contract';
import type { Origin } from '@misstep/model';
import { type ReactNode, useState } from 'react';
import { EvidenceGradeLabel } from '../../ui/evidence.tsx';
import { formatBytes, formatCount } from '../../ui/format-count.ts';
import { PanelHead } from '../../ui/panel-head.tsx';
import styles from './bytes.module.css';
import { OriginBytes } from './origin-bytes.tsx';
import { VisibleText } from './visible-text-view.tsx';

/** Where the step stands in its source, with the bytes themselves, and what Misstep worked out. */
export function EvidenceTab(props: { run: RunDetail; step: StepDetail }) {
  const { run, step } = props;
  const origins = [step.origin, ...step.moreOrigins];
  const [shown, setShown] = useState(0);
  const origin = origins[shown] ?? step.origin;
  return (
    <>
      <PanelHead title="How it is known" level={3}>
        <EvidenceGradeLabel grade={step.evidence} />
      </PanelHead>
      <Fact label="Content">{CONTENT_WORDS[step.evidence]}</Fact>
      <Fact label="Pairing">{pairingWords(step)}</Fact>
      <Fact label="Time">{`${timeWords(step)}${zoneWords(run, step)}`}</Fact>
      {run.externalMarks
        .filter(({ stepId }) => stepId === step.id)
        .map((each) => (
          <Fact key={`${each.by}-${each.origin.offset}`} label="External mark">
            <VisibleText text={labelWords(each)} />
          </Fact>
        ))}
      <PanelHead
        title="Where it stands"
        level={3}
        note={origins.length === 1 ? 'one record' : `${formatCount(origins.length)} records`}
      />
      {origins.map((each, order) => (
        <button
          key={`${each.sha256}-${each.offset}-${each.pointer}`}
          type="button"
          className={styles.frame}
          aria-pressed={order === shown}
          title={each.sha256}
          onClick={() => setShown(order)}
        >
          <span className={styles.at}>{order === 0 ? 'first' : `${order + 1}`}</span>
          <span />
          <span className={styles.method}>
            {sourceName(run, each)} <span>{each.pointer}</span>
          </span>
          <span className={styles.size}>{formatBytes(each.length)}</span>
          <span />
        </button>
      ))}
      <OriginBytes key={`${origin.sha256}-${origin.offset}-${origin.length}`} origin={origin} />
    </>
  );
}

const CONTENT_WORDS: Readonly<Record<StepDetail['evidence'], string>> = {
  wire: 'Bytes seen on the transport.',
  logged: 'A structured record by the client or the agent.',
  rendered: 'Text made for people: what it leaves out proves nothing about the wire.',
  derived: 'Worked out by Misstep, in no record of the source.',
};

function Fact(props: { label: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <span>{props.label}</span>
      <span>{props.children}</span>
    </div>
  );
}

/** A judgement that came with the file, in its words. */
function labelWords(label: RunDetail['externalMarks'][number]): string {
  const { by, placeText, agent, category, reason } = label;
  const facts = [placeText, agent, category].filter((fact) => fact !== null).join(', ');
  return `${by} (${facts}): ${reason}`;
}

function pairingWords(step: StepDetail): string {
  const { pairing } = step;
  if (pairing === null) return 'This step is no call: there is nothing to pair.';
  if (pairing.by === 'none') return 'No result was paired with this call.';
  if (pairing.by === 'id') return 'Call and result carry the same id in the source.';
  const how = pairing.by === 'order' ? 'by order' : 'by name and order';
  return pairing.derived
    ? `Call and result are paired ${how}: worked out by Misstep, the source has no id.`
    : `Call and result are paired ${how}, as the source says.`;
}

function timeWords(step: StepDetail): string {
  const { startedAtText, endedAtText } = step;
  if (startedAtText === null && step.startedAtNs === null) {
    return 'No time recorded: the position is by order only.';
  }
  const start = startedAtText ?? 'start not written';
  const end = endedAtText === null ? 'end not recorded' : `to ${endedAtText}`;
  return step.timeEvidence === 'derived'
    ? `${start} ${end}, worked out by Misstep from its neighbours.`
    : `${start} ${end}, as the source writes it (${step.timeEvidence}).`;
}

/** What a written time leaves open. */
function zoneWords({ clock }: RunDetail, { startedAtNs }: StepDetail): string {
  if (startedAtNs === null) return '';
  if (clock === 'local') return ' Local time: the source names no time zone.';
  if (clock === 'timeOfDay') return ' A time of day: the source names no date.';
  return clock === 'monotonic' ? ' Counted from an unknown zero: the source names no date.' : '';
}

export function sourceName(run: RunDetail, origin: Pick<Origin, 'sha256'>): string {
  const own = run.sources.find((source) => source.sha256 === origin.sha256);
  if (own === undefined) return origin.sha256.slice(0, 12);
  const [container] = run.sources.filter(({ role }) => role === 'container');
  if (container === undefined || own.role === 'container') return own.name;
  // The offsets are places in the unpacked bytes.
  const part = own.role === 'main' ? container.part : own.part;
  return `${part ?? own.name}, unpacked from ${container.name}`;
}
