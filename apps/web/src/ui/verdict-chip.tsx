import type { Verdict } from '@misstep/model';
import { Chip, type ChipTone } from './chip.tsx';
import type { IconName } from './icon-shapes.ts';

const LOOKS: Readonly<Record<Verdict, { icon: IconName; tone: ChipTone; inferred?: true }>> = {
  same: { icon: 'equal', tone: 'plain' },
  'formatting only': { icon: 'tilde', tone: 'plain' },
  'elided in transcript': { icon: 'dots', tone: 'truncated' },
  'missing in transcript': { icon: 'minus', tone: 'truncated' },
  'altered in transcript': { icon: 'notEqual', tone: 'truncated' },
  'server differs now': { icon: 'swap', tone: 'inverse' },
  'cannot tell': { icon: 'unknown', tone: 'plain', inferred: true },
};

/** A verdict of a comparison, or how many rows have it ("2 elided"). */
export function VerdictChip(props: { verdict: Verdict; count?: number }) {
  const look = LOOKS[props.verdict];
  const words =
    props.count === undefined
      ? props.verdict
      : `${props.count} ${props.verdict.replace(' in transcript', '')}`;
  return (
    <Chip icon={look.icon} tone={look.tone} inferred={look.inferred === true}>
      {words}
    </Chip>
  );
}
