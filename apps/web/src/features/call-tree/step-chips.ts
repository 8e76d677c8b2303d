import { STEP_FLAGS, STEP_STATUSES, type StepStatus } from '@misstep/model';
import type { IconName } from '../../ui/icon-shapes.ts';

/** `inferred` chips are our own work and have a dashed border. */
export type StepChipTone = 'error' | 'unanswered' | 'truncated' | 'plain' | 'inferred';

/** One chip of a step: an icon's name and a word, spelled the protocol's way. */
export interface StepChip {
  readonly word: string;
  readonly tone: StepChipTone;
  readonly icon: IconName;
  /** What the chip means, for its title. */
  readonly meaning: string;
}

const OF_STATUS: Partial<Record<StepStatus, StepChip>> = {
  error: chip(
    'isError',
    'error',
    'cross',
    'The result of the tool is an error: isError true, or what the source has in its place.',
  ),
  protocolError: chip('protocol error', 'error', 'cross', 'JSON-RPC or transport error.'),
  unknownTool: chip('unknown tool', 'error', 'cross', 'The server has no tool of this name.'),
  neverReached: chip(
    'never reached server',
    'error',
    'block',
    'Stopped by the client, a hook or a person.',
  ),
  rejected: chip('rejected', 'plain', 'block', 'A person rejected the call.'),
  interrupted: chip('interrupted', 'plain', 'block', 'A person interrupted the call.'),
  cancelled: chip('cancelled', 'plain', 'block', 'The client cancelled the call.'),
  unanswered: chip('unanswered', 'unanswered', 'question', 'Sent, no response in the recording.'),
};

function chip(word: string, tone: StepChipTone, icon: StepChip['icon'], meaning: string): StepChip {
  return { word, tone, icon, meaning };
}

const OF_FLAG: readonly [number, StepChip][] = [
  [
    STEP_FLAGS.truncated,
    chip('truncated', 'truncated', 'cut', 'The recording shows less than was sent.'),
  ],
  [STEP_FLAGS.empty, chip('empty', 'plain', 'empty', 'Answered, nothing in it; not an error.')],
  [STEP_FLAGS.retried, chip('retried', 'plain', 'retry', 'Same arguments again.')],
  [STEP_FLAGS.parallel, chip('parallel', 'plain', 'equal', 'Overlaps a sibling in time.')],
  [STEP_FLAGS.noTime, chip('no time recorded', 'inferred', 'noClock', 'Placed by order only.')],
  [
    STEP_FLAGS.clockSkew,
    chip(
      'clock skew',
      'inferred',
      'noClock',
      'By the recorded times it ends before it starts, or is outside of what it belongs to.',
    ),
  ],
];

/**
 * Said in the panel and not in rows: in a transcript without ids it holds for every call, and a chip
 * on each of them would only push their arguments aside.
 */
export const PAIRED_BY_ORDER = chip(
  'paired by order',
  'inferred',
  'swap',
  'Misstep paired call and result, not the source.',
);

/** A judgement that came with the file; never the person's mark. */
export function externalChip(words: string): StepChip {
  return chip('external', 'plain', 'note', `External mark, in the file: ${words}`);
}

/** Chips by status and flags (bits of STEP_FLAGS), weightiest first. */
export function chipsOf(status: number, flags: number): StepChip[] {
  const word = STEP_STATUSES[status];
  const ofStatus = word === undefined ? undefined : OF_STATUS[word];
  const chips = ofStatus === undefined ? [] : [ofStatus];
  for (const [bit, each] of OF_FLAG) if ((flags & bit) !== 0) chips.push(each);
  return chips;
}

/** A row has room for two; the rest is counted. */
export const CHIPS_IN_A_ROW = 2;
