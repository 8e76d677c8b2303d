import { routes } from '@misstep/contract';
import type { Origin } from '@misstep/model';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format-count.ts';
import { PanelHead } from '../../ui/panel-head.tsx';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import styles from './bytes.module.css';
import { type BytesForm, BytesSegment } from './bytes-segment.tsx';
import { bytesOfBase64 } from './hex-rows.ts';
import { HexView } from './hex-view.tsx';
import { VisibleText } from './visible-text-view.tsx';

const AROUND_BYTES = 128;
const FIRST_BYTES = 2048;
const STEP_BYTES = 8192;
const MOST_BYTES = 65_536;

/** The record's bytes with some around them; more on request, never more than a window at once. */
export function OriginBytes(props: {
  origin: Pick<Origin, 'sha256' | 'offset' | 'length' | 'pointer'>;
  /** What the lit bytes are. */
  lit?: string;
}) {
  const { origin, lit: litWords = 'the record is lit, the rest is what stands around it' } = props;
  const [view, setView] = useState<BytesForm>('text');
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
        <BytesSegment value={view} onChange={setView} />
      </PanelHead>
      <div className={styles.bar}>
        <span className={styles.mono} title={origin.sha256}>
          {`sha256 ${origin.sha256.slice(0, 16)}`}
        </span>
        {props.lit === undefined ? (
          <span>{origin.pointer === '' ? 'whole record' : origin.pointer}</span>
        ) : null}
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
          {left > 0 ? `${formatCount(left)} bytes of the record are further down` : litWords}
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
