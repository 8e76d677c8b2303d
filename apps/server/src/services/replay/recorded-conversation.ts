import { member, parseJson, stringValue } from '@misstep/json';
import { EVIDENCE_GRADES, type RunFrame, type RunId, type StepId } from '@misstep/model';
import { answerBytesOf, type RecordedConversation } from '@misstep/replay';
import type { Store } from '@misstep/store';
import type { ValueReader } from '../value-reader.ts';

/** Of a call's frames; a call that made more progress than this has its answer last. */
const MOST_FRAMES = 1000;
/** How servers say who they are: `initialize` up to 2025-11-25, `server/discover` since. */
const OPENINGS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** The recorded frames of a call: its request and its answer, where the run holds them. */
export async function readRecordedFrames(
  store: Pick<Store, 'listFrames'>,
  values: Pick<ValueReader, 'bytesOf'>,
  runId: RunId,
  stepId: StepId,
): Promise<{ request: Uint8Array | null; answer: Uint8Array | null }> {
  const first = await store.listFrames(runId, { stepId, offset: 0, limit: MOST_FRAMES });
  const offset = Math.max(0, first.total - MOST_FRAMES);
  const last =
    offset === 0 ? first : await store.listFrames(runId, { stepId, offset, limit: MOST_FRAMES });
  const request = first.frames.find(
    (frame) => frame.direction === 'client-to-server' && frame.method === 'tools/call',
  );
  const answer = last.frames.find(
    (frame) =>
      frame.direction === 'server-to-client' &&
      frame.idText === (request?.idText ?? frame.idText) &&
      (frame.kind === 'response' || frame.kind === 'error'),
  );
  const bytes = async (frame: RunFrame | undefined) =>
    frame === undefined ? null : values.bytesOf(frame.origin);
  return { request: await bytes(request), answer: await bytes(answer) };
}

/** What a recorded frame answers: exact text of its `result`, or of the `error` in its place. */
export interface WireAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/**
 * The recorded wire's answer to a call whose own result was recorded from something else; null where
 * the run holds no wire for it. Frames that a log printed are no wire: they have its grade.
 */
export async function readWireResult(
  store: Pick<Store, 'getRun' | 'listFrames'>,
  values: Pick<ValueReader, 'bytesOf'>,
  runId: RunId,
  stepId: StepId,
): Promise<WireAnswer | null> {
  const { evidenceCounts, frameCount } = await store.getRun(runId);
  const hasWire = (evidenceCounts[EVIDENCE_GRADES.indexOf('wire')] ?? 0) > 0;
  if (!hasWire || frameCount === 0) return null;
  const { answer } = await readRecordedFrames(store, values, runId, stepId);
  const found = answer === null ? null : answerBytesOf(answer);
  if (found === null) return null;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(found.bytes);
  return { text, isError: found.isError };
}

/** What the recording says of the server that the call went to. */
export async function readRecordedConversation(
  store: Store,
  values: ValueReader,
  runId: RunId,
  server: string | null,
): Promise<Omit<RecordedConversation, 'argumentBytes'>> {
  const openings = (await store.listSteps(runId)).filter(
    (step) => step.kind === 'protocol' && OPENINGS.has(step.name),
  );
  // Without the server's name in the step, only a single conversation can be the one.
  const found =
    openings.find((step) => server !== null && step.server === server) ??
    (openings.length === 1 ? openings[0] : undefined);
  const text = found === undefined ? null : await values.wholeText(found.result);
  const parsed = text === null ? null : parseJson(text);
  const document = parsed?.ok === true ? parsed.value : null;
  const textAt = (parent: Parameters<typeof member>[1], key: string): string | null => {
    const node = document === null ? undefined : member(document, parent, key);
    return document !== null && node?.kind === 'string' ? stringValue(document, node) : null;
  };
  const info = document === null ? undefined : member(document, document.root, 'serverInfo');
  return {
    serverName: textAt(info, 'name'),
    serverVersion: textAt(info, 'version'),
    protocolRevision: textAt(document?.root, 'protocolVersion'),
  };
}
