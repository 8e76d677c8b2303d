import type { ValueDetail } from '@misstep/contract';
import { EvidenceGradeLabel } from '../../ui/evidence.tsx';
import { formatBytes } from '../../ui/format-count.ts';
import { PanelHead } from '../../ui/panel-head.tsx';

/** Head over a text that people read. */
export function SpeechHead(props: { title: string; value: ValueDetail }) {
  const { value } = props;
  const note =
    value.state === 'elided'
      ? `cut by the source, ${formatBytes(value.sizeBytes)} left`
      : formatBytes(value.sizeBytes);
  return (
    <PanelHead title={props.title} level={3} note={note}>
      <EvidenceGradeLabel grade={value.evidence} />
    </PanelHead>
  );
}
