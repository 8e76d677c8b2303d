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

/**
 * A verdict of a comparison, or how many rows have it ("2 elided"). Where the call was edited, that
 * a value differs is laid to nobody: the edit may be why.
 */
export function VerdictChip(props: { verdict: Verdict; count?: number; edited?: boolean }) {
  const isOpen = props.edited === true && props.verdict === 'server differs now';
  const look = LOOKS[props.verdict];
  const verdict = isOpen ? 'differs now' : props.verdict;
  const words =
    props.count === undefined ? verdict : `${props.count} ${verdict.replace(' in transcript', '')}`;
  return (
    <Chip
      icon={look.icon}
      tone={isOpen ? 'plain' : look.tone}
      inferred={look.inferred === true}
      {...(isOpen ? { title: 'The call was edited, so the edit may be why' } : {})}
    >
      {words}
    </Chip>
  );
}
