import type { Step } from '@misstep/model';
import type { ChatRun } from '../../chat-run.ts';
import type { JsonView } from '../../json-view.ts';
import { oneLine } from '../../one-line.ts';
import { decimalToNs } from '../../source-time.ts';
import type { SpanClock } from '../../span-clock.ts';
import type { SpanTime } from '../../trace-span.ts';

/** When the simulation began: no message was there yet. */
export function addBeginning(run: ChatRun, item: JsonView, clock: SpanClock): void {
  const place = item.get('start_time');
  const at = clock.read(place);
  if (place === undefined || at === null) return;
  run.step(place.origin, {
    kind: 'note',
    name: 'Simulation started',
    parentId: null,
    time: momentOf(at),
  });
}

/** When and why it ended, which may be long after its last message. */
export function addEnd(run: ChatRun, item: JsonView, clock: SpanClock): void {
  const reason = item.get('termination_reason');
  const place = item.get('end_time');
  const at = clock.read(place);
  if (place === undefined || at === null) return;
  run.step(place.origin, {
    kind: 'note',
    name: oneLine(`Ended: ${reason?.text ?? reason?.written ?? '?'}`, 200),
    parentId: null,
    time: momentOf(at),
  });
}

/**
 * A message is dated when it is done. How long the model took for it is stated beside it, where it
 * is: then it began so long before.
 */
export function beganBefore(head: Step, place: JsonView, at: SpanTime | null): void {
  const took = place.get('generation_time_seconds')?.number ?? null;
  const plain = took !== null && /e/i.test(took) ? Number(took).toFixed(9) : took;
  const ns = plain === null ? null : decimalToNs(plain, 's');
  if (at === null || ns === null || ns < 0n) return;
  head.time = {
    startedAtNs: at.ns - ns,
    endedAtNs: at.ns,
    startedAtText: null,
    endedAtText: at.text,
    evidence: 'derived',
  };
}

function momentOf({ ns, text }: SpanTime): Step['time'] {
  return {
    startedAtNs: ns,
    endedAtNs: null,
    startedAtText: text,
    endedAtText: null,
    evidence: 'logged',
  };
}
