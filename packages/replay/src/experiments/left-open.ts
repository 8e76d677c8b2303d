import type { RaceMatrix, RepeatMatrix } from '@misstep/model';

/** Said with every repeat: what the same call some times over leaves open. */
export function repeatLeftOpen({
  rows,
  sameBytes,
}: Pick<RepeatMatrix, 'rows' | 'sameBytes'>): string[] {
  return [
    'Why the agent made this call. Only its run can say that.',
    'What the server held when the run was recorded. Its state then is not known.',
    sameBytes === true
      ? `Whether it always holds still. ${rows.length} answers were the same, here and today.`
      : 'Whether it always moves so. Other answers may come on another day.',
    'Any other arguments. Only these were sent.',
  ];
}

/** Said with every race: what calls at once leave open. */
export function raceLeftOpen(
  matrix: Pick<RaceMatrix, 'connections' | 'canSeeCrossing' | 'rows' | 'movingPointers'>,
): string[] {
  const { connections, canSeeCrossing, rows, movingPointers } = matrix;
  return [
    'Whether the agent’s calls were at once. Only its run can say that.',
    connections === 'one'
      ? 'What several clients at once get. All of these went over one connection.'
      : 'What one client gets that sends several calls at once. Each of these had a connection of its own.',
    ...(canSeeCrossing || rows.length === 0
      ? []
      : ['Whether answers are crossed. That takes two calls that answer differently alone.']),
    'Another turn of the race. Order and crossing depend on timing: that it did not happen here is no proof that it never does.',
    ...(movingPointers.length === 0
      ? []
      : ['What moves by itself. Those pointers were left out of the comparison.']),
  ];
}
