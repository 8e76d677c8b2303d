import { type Citation, MisstepError, type RunId } from '@misstep/model';
import type { Store } from '@misstep/store';
import { fileStamp, type HeavyWork } from '../jobs/heavy-work.ts';
import type { ValueReader } from './value-reader.ts';

interface Means {
  readonly store: Store;
  readonly values: ValueReader;
  readonly heavy: HeavyWork;
}

/**
 * A citation has to resolve in what it points at: its part is recorded and holds the pointer, or
 * the replay's answer does. RUN_NOT_FOUND, STEP_NOT_FOUND, REPLAY_NOT_FOUND, CITATION_NOT_FOUND.
 * A verdict has no pointer; the store holds it against its experiment.
 */
export async function checkCitations(
  means: Means,
  runId: RunId,
  citations: readonly Citation[],
): Promise<void> {
  for (const citation of citations) {
    if (citation.part === 'verdict') continue;
    if (citation.replayId === undefined) await checkRecorded(means, runId, citation);
    else await checkLive(means, runId, citation, citation.replayId);
  }
}

async function checkRecorded(
  { store, values, heavy }: Means,
  runId: RunId,
  citation: Citation,
): Promise<void> {
  const { part, pointer } = citation;
  const step = await store.getStep(runId, citation.stepId);
  if (part === 'step') {
    if (pointer === '') return;
    throw notFound(citation, `A step as a whole has no place ${pointer}.`);
  }
  const found = part === 'content' ? step.content.map((each) => each.value) : [step[partOf(part)]];
  let isRecorded = false;
  let mostHeld = 0;
  for (const value of found) {
    const text = await values.wholeText(value);
    if (text === null) continue;
    isRecorded = true;
    if (pointer === '') return;
    const size = text.length;
    const held = await heavy.run('segmentsInText', { text, pointer }, { size });
    if (held === pointer.split('/').length - 1) return;
    mostHeld = Math.max(mostHeld, held ?? 0);
  }
  const where = `the recorded ${part} of step ${step.seq}`;
  throw notFound(
    citation,
    isRecorded
      ? `There is nothing at ${pointer} in ${where}; ${nearest(pointer, mostHeld)} is there.`
      : `The recording does not hold ${where}, so nothing in it can be cited.`,
  );
}

async function checkLive(
  { store, heavy }: Means,
  runId: RunId,
  citation: Citation,
  replayId: NonNullable<Citation['replayId']>,
): Promise<void> {
  const replay = await store.getReplay(replayId);
  // Of another step or run: the store says so.
  if (replay.runId !== runId || replay.stepId !== citation.stepId) return;
  const { frameLogPath } = replay;
  const { pointer } = citation;
  const { size } = await fileStamp(frameLogPath);
  const held = await heavy.run('segmentsInLog', { frameLogPath, pointer }, { size });
  // That there is no answer may be the very thing: the replay as a whole can be cited.
  if (pointer === '' || held === pointer.split('/').length - 1) return;
  throw notFound(
    citation,
    held === false
      ? `Replay ${replayId} has no answer, so nothing in it can be cited; the replay as a whole can.`
      : `There is nothing at ${pointer} in the answer of replay ${replayId}; ${nearest(pointer, held ?? 0)} is there.`,
  );
}

function partOf(part: Citation['part']): 'arguments' | 'result' {
  return part === 'arguments' ? 'arguments' : 'result';
}

function nearest(pointer: string, held: number): string {
  const place = pointer.split('/').slice(0, held + 1);
  return held === 0 ? 'the whole of it' : place.join('/');
}

function notFound(citation: Citation, message: string): MisstepError {
  const { part, pointer } = citation;
  return new MisstepError('CITATION_NOT_FOUND', message, { part, pointer });
}
