import { EVIDENCE_GRADES, type Skeleton, STEP_KINDS, type StepKind } from '@misstep/model';
import { formatStepDuration } from '../../ui/format-time.ts';
import type { IconName } from '../../ui/icon-shapes.ts';
import { chipsOf } from './step-chips.ts';

/** One icon a kind: kind is a shape, never a colour. */
export const KIND_ICONS: Readonly<Record<StepKind, IconName>> = {
  user: 'user',
  model: 'model',
  tool: 'tool',
  agent: 'agent',
  retrieval: 'retrieval',
  context: 'compact',
  protocol: 'protocol',
  note: 'note',
};

/** What each kind is called where a word has to stand for the icon. */
export const KIND_WORDS: Readonly<Record<StepKind, string>> = {
  user: 'user turn',
  model: 'model call',
  tool: 'tool call',
  agent: 'sub-agent',
  retrieval: 'retrieval',
  context: 'context change',
  protocol: 'protocol exchange',
  note: 'note',
};

export function kindOf(skeleton: Pick<Skeleton, 'kinds'>, index: number): StepKind {
  return STEP_KINDS[skeleton.kinds[index] ?? -1] ?? 'note';
}

/** True where the row names a tool, which is written in the machine's face. */
export function namesTool(skeleton: Pick<Skeleton, 'kinds' | 'tools'>, index: number): boolean {
  const kind = kindOf(skeleton, index);
  return kind === 'tool' || kind === 'protocol' || kind === 'retrieval';
}

/** `7 search_orders, depot, isError, 2.31 s, wire`: the row for a screen reader and a test. */
export function rowName(
  skeleton: Skeleton,
  index: number,
  markWords: string | null,
  externalWords: string | null = null,
): string {
  const tool = skeleton.tools[index];
  const durationNs = skeleton.durationsNs[index] ?? null;
  const parts = [
    `${index + 1} ${tool ?? skeleton.names[index] ?? ''}`,
    markWords,
    externalWords,
    skeleton.servers[index],
    skeleton.summaries[index],
    ...chipsOf(skeleton.statuses[index] ?? 0, skeleton.flags[index] ?? 0).map((chip) => chip.word),
    durationNs === null ? null : formatStepDuration(durationNs),
    EVIDENCE_GRADES[skeleton.evidence[index] ?? 3],
  ];
  return parts.filter((part) => part !== null && part !== undefined && part !== '').join(', ');
}
