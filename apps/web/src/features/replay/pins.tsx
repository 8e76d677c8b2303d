import { Chip } from '../../ui/chip.tsx';
import { formatStepDuration } from '../../ui/format-time.ts';
import { Icon } from '../../ui/icon.tsx';
import { PanelHead } from '../../ui/panel-head.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import { byteLength } from './draft-arguments.ts';
import styles from './replay-screen.module.css';
import type { Draft } from './use-draft.ts';

/** The five things that an agent varies and a replay holds still. */
export function Pins(props: { draft: Draft; recordedDelayNs: number | null }) {
  const { draft } = props;
  const size = `${byteLength(draft.text)} B`;
  const rows = [
    {
      name: 'arguments',
      words: draft.isEdited ? `${size} as typed` : `${size} as recorded`,
      edited: draft.isEdited,
    },
    { name: 'tool', words: visibleLine(draft.tool), edited: false },
    { name: 'attempts', words: '1 send, no retry', edited: false },
    { name: 'rendering', words: 'none, raw bytes kept', edited: false },
    { name: 'timing', words: timingWords(props.recordedDelayNs), edited: false },
  ];
  return (
    <section aria-label="Pins">
      <PanelHead title="Pins" note="what the agent contributed, held still">
        <span className={styles.secondary}>5 of 5</span>
      </PanelHead>
      <ul>
        {rows.map((row) => (
          <li key={row.name} className={styles.pin}>
            <Icon name="pin" small />
            <span className={styles.strong}>{row.name}</span>
            <span title={row.words}>{row.words}</span>
            <span className={styles.row}>
              {row.edited ? <Chip tone="inverse">edited</Chip> : null}
              <Chip>pinned</Chip>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A replay is never late in the life of its server, as the recorded call may have been. */
function timingWords(recordedDelayNs: number | null): string {
  return recordedDelayNs === null
    ? 'at once, on a fresh connection'
    : `at once; recorded ${formatStepDuration(recordedDelayNs)} in`;
}

/** Nanoseconds from one recorded moment to a later one; null = not recorded, or clocks disagree. */
export function delayBetween(startNs: string | null, thenNs: string | null): number | null {
  if (startNs === null || thenNs === null) return null;
  const delayNs = BigInt(thenNs) - BigInt(startNs);
  return delayNs < 0n ? null : Number(delayNs);
}
