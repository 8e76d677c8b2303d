import { type RunDetail, routes, type StepDetail } from '@misstep/contract';
import type { Origin } from '@misstep/model';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { EvidenceGradeLabel } from '../../ui/evidence.tsx';
import { formatBytes, formatCount } from '../../ui/format-count.ts';
import { PanelHead } from '../../ui/panel-head.tsx';
import { Segment } from '../../ui/segment.tsx';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import styles from './bytes.module.css';
import { bytesOfBase64 } from './hex-rows.ts';
import { HexView } from './hex-view.tsx';
import { VisibleText } from './visible-text-view.tsx';

const AROUND_BYTES = 128;
const FIRST_BYTES = 2048;
const STEP_BYTES = 8192;
const MOST_BYTES = 65_536;

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
      <Fact label="Time">{timeWords(step)}</Fact>
      {run.externalMarks
        .filter(({ stepId }) => stepId === step.id)
        .map((each) => (
          <Fact key={`${each.by}-${each.origin.offset}`} label="Label in the file">
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
      <OriginBytes
        key={`${origin.sha256}-${origin.offset}-${origin.length}`}
        run={run}
        origin={origin}
      />
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

function sourceName(run: RunDetail, origin: Origin): string {
  const own = run.sources.find((source) => source.sha256 === origin.sha256);
  if (own === undefined) return origin.sha256.slice(0, 12);
  const [container] = run.sources.filter(({ role }) => role === 'container');
  if (container === undefined || own.role === 'container') return own.name;
  // The offsets are places in the unpacked bytes.
  const part = own.role === 'main' ? container.part : own.part;
  return `${part ?? own.name}, unpacked from ${container.name}`;
}

/** The record's bytes with some around them; more on request, never more than a window at once. */
function OriginBytes(props: { run: RunDetail; origin: Origin }) {
  const { origin } = props;
  const [view, setView] = useState<'text' | 'hex'>('text');
  const [before, setBefore] = useState(AROUND_BYTES);
  const [reach, setReach] = useState(Math.min(origin.length + AROUND_BYTES, FIRST_BYTES));
  const from = Math.max(0, origin.offset - before);
  const length = Math.min(MOST_BYTES, origin.offset - from + reach);
  const bytes = useQuery({
    queryKey: ['source', origin.sha256, from, length],
    queryFn: ({ signal }) =>
      api(routes.getSourceWindow, {
        params: { sha256: origin.sha256 },
        query: { offset: from, length },
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (earlier) => (earlier?.sha256 === origin.sha256 ? earlier : undefined),
  });
  const end = origin.offset + origin.length;
  const lit = { start: origin.offset, end };
  const shownUntil = from + length;
  const left = Math.max(0, end - shownUntil);
  return (
    <>
      <PanelHead
        title="Raw bytes"
        level={3}
        note={`${formatCount(origin.offset)} to ${formatCount(end)}`}
      >
        <Segment
          label="Bytes as"
          small
          options={[
            { value: 'text', label: 'Text' },
            { value: 'hex', label: 'Hex' },
          ]}
          value={view}
          onChange={setView}
        />
      </PanelHead>
      <div className={styles.bar}>
        <span className={styles.mono} title={origin.sha256}>
          {`sha256 ${origin.sha256.slice(0, 16)}`}
        </span>
        <span>{origin.pointer === '' ? 'whole record' : origin.pointer}</span>
      </div>
      {bytes.error === null ? null : (
        <ProblemNotice error={bytes.error} title="The bytes can't be shown" />
      )}
      {bytes.data === undefined ? (
        <div className={styles.empty} />
      ) : view === 'hex' ? (
        <HexView
          bytes={bytesOfBase64(bytes.data.base64)}
          offset={bytes.data.offset}
          bytesPerRow={12}
          lit={lit}
        />
      ) : (
        <TextAround base64={bytes.data.base64} offset={bytes.data.offset} lit={lit} />
      )}
      <div className={styles.bar}>
        <span>
          {left > 0
            ? `${formatCount(left)} bytes of the record are further down`
            : 'the record is lit, the rest is what stands around it'}
        </span>
        {from > 0 && length < MOST_BYTES ? (
          <Button small onClick={() => setBefore(before + STEP_BYTES / 8)}>
            Earlier bytes
          </Button>
        ) : null}
        {length < MOST_BYTES && (bytes.data === undefined || shownUntil < bytes.data.sizeBytes) ? (
          <Button small onClick={() => setReach(reach + STEP_BYTES)}>
            Later bytes
          </Button>
        ) : null}
      </div>
    </>
  );
}

function TextAround(props: {
  base64: string;
  offset: number;
  lit: { start: number; end: number };
}) {
  const { lit, offset } = props;
  const [before, within, after] = useMemo(() => {
    const bytes = bytesOfBase64(props.base64);
    const decoder = new TextDecoder();
    const start = Math.max(0, lit.start - offset);
    const end = Math.min(bytes.length, Math.max(start, lit.end - offset));
    return [bytes.subarray(0, start), bytes.subarray(start, end), bytes.subarray(end)].map((part) =>
      decoder.decode(part),
    );
  }, [props.base64, offset, lit.start, lit.end]);
  return (
    <div className={styles.raw} tabIndex={0} role="region" aria-label="Bytes as text">
      <span className={styles.around}>
        <VisibleText text={before ?? ''} />
      </span>
      <span className={styles.lit}>
        <VisibleText text={within ?? ''} />
      </span>
      <span className={styles.around}>
        <VisibleText text={after ?? ''} />
      </span>
    </div>
  );
}
