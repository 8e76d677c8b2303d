import { routes, routeUrl, type StepDetail } from '@misstep/contract';
import type { Comparison, ComparisonRow, Replay } from '@misstep/model';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type TakeAwayForm, useTakeAway } from '../../api/replay-account.ts';
import { useKeys } from '../../state/use-keys.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { ProblemLine } from '../shell/problem-notice.tsx';
import { citedPlaceOf } from './cited-place.ts';
import parts from './comparison-parts.module.css';
import columns from './replay-screen.module.css';

const FORMS: readonly { form: TakeAwayForm; label: string }[] = [
  { form: 'curl', label: 'curl' },
  { form: 'shell', label: 'Shell line' },
  { form: 'node', label: 'Node test' },
  { form: 'pytest', label: 'pytest' },
  { form: 'frames', label: 'Raw frames' },
];

/** What can be taken from here: the call in another form, the pair of receipt and frames, a citation. */
export function ComparisonFoot(props: {
  step: StepDetail;
  replay: Replay;
  name: string;
  comparison: Comparison | null;
  row: ComparisonRow | undefined;
}) {
  const { step, replay, comparison, row } = props;
  const place = useMemo(
    () => citedPlaceOf(comparison, row, step.result, replay.id),
    [comparison, row, step.result, replay.id],
  );
  const markForm = {
    to: '/runs/$runId',
    params: { runId: step.runId },
    search: {
      step: step.id,
      cite: place.cite,
      ...(place.citeReplay === undefined ? {} : { citeReplay: place.citeReplay }),
    },
  } as const;
  const navigate = useNavigate();
  useKeys({
    title: 'Replay',
    // Said by the screen, so that the status bar holds all of its keys.
    hints: [],
    handlers: { m: () => void navigate(markForm) },
  });
  const take = useTakeAway(replay.id);
  const [copied, setCopied] = useState<{ label: string; text: string; ok: boolean } | null>(null);
  const transport = replay.receipt?.target.address.transport ?? null;
  const isModern = replay.receipt?.protocolEra === 'modern';
  const copy = (form: TakeAwayForm, label: string) =>
    take.mutate(form, {
      onSuccess: async ({ text }) => {
        // Without a secure context, or where the browser forbids it, the text is there to be taken.
        const ok = await navigator.clipboard.writeText(text).then(
          () => true,
          () => false,
        );
        setCopied({ label, text, ok });
      },
    });
  return (
    <>
      {copied === null || take.data === undefined ? null : (
        <section className={parts.taken} aria-label={`Call as ${copied.label}`}>
          <p role="status">
            {copied.ok ? `Copied as ${copied.label}.` : `The call as ${copied.label}:`}
            {take.data.notes.map((note) => (
              <span key={note} className={parts.takenNote}>
                {note}
              </span>
            ))}
          </p>
          <pre tabIndex={0}>{copied.text}</pre>
          <Button small kind="quiet" onClick={() => setCopied(null)}>
            Close
          </Button>
        </section>
      )}
      <div className={columns.foot}>
        <span className={parts.footWords}>
          {take.error === null ? (
            place.citeReplay === undefined && row?.ignoredBy === undefined ? (
              `${props.name} is kept with the run. The recorded call is never changed.`
            ) : (
              place.words
            )
          ) : (
            <ProblemLine error={take.error} />
          )}
        </span>
        <span className={columns.spacer} />
        <Menu
          label="Copy the call as"
          trigger={<Button>Copy as</Button>}
          items={FORMS.map(({ form, label }) => ({
            id: form,
            label,
            onSelect: () => copy(form, label),
            ...unavailableOf(form, transport, isModern),
          }))}
        />
        {replay.receipt === null ? null : (
          <a
            className={buttonClass()}
            href={routeUrl(routes.exportReceipt, { params: { replayId: replay.id } })}
            download
            title="Frames and receipt as one file; values that look like secrets in the address are left out"
          >
            Export pair
          </a>
        )}
        <Link
          className={buttonClass({ kind: 'mark' })}
          {...markForm}
          title={`${place.words} Nothing is marked by this.`}
        >
          <Icon name="flag" small />
          Cite in the mark
        </Link>
      </div>
    </>
  );
}

/** Transport null = there is no receipt: then the server says what can't be made. */
function unavailableOf(
  form: TakeAwayForm,
  transport: 'stdio' | 'streamable-http' | 'sse' | null,
  isModern: boolean,
): { unavailable?: string } {
  if (isModern) return { unavailable: 'opens with initialize, which 2026-07-28 has not' };
  if (transport === null) return {};
  if (form === 'curl' && transport === 'stdio') {
    return { unavailable: 'curl speaks HTTP, this target is stdio' };
  }
  if (form === 'curl' && transport === 'sse') {
    return { unavailable: 'HTTP+SSE answers on another stream' };
  }
  if (form === 'shell' && transport !== 'stdio') {
    return { unavailable: 'a shell line is for stdio targets' };
  }
  return {};
}
