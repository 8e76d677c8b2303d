import { createHash } from 'node:crypto';
import { MisstepError, type RunId, SourceHashSchema, type StepId } from '@misstep/model';
import type { RecordedCall } from '@misstep/replay';
import type { Store } from '@misstep/store';
import { definitionBytes } from '../schema/recorded-tools.ts';
import type { ValueReader } from '../value-reader.ts';
import { readJoinedResult } from './joined-wire.ts';
import { readWireResult } from './recorded-conversation.ts';

/** What the recording holds of a call; REQUEST_INVALID where the step is no tool call. */
export async function readRecordedCall(
  store: Store,
  values: ValueReader,
  runId: RunId,
  stepId: StepId,
): Promise<RecordedCall> {
  const step = await store.getStep(runId, stepId);
  if (step.kind !== 'tool') {
    throw new MisstepError(
      'REQUEST_INVALID',
      `Step ${step.seq} is no tool call, so there is nothing to send.`,
      { field: 'stepId' },
      {
        hint: 'Choose a step that is a tool call; `misstep show RUN` and the tree name the kind of each.',
      },
    );
  }
  const tool = step.tool ?? step.name;
  const { arguments: argumentsValue, result } = step;
  const hasResult = result !== null && (result.state === 'captured' || result.state === 'elided');
  const evidence = result?.evidence ?? step.evidence;
  const wire =
    evidence === 'wire'
      ? null
      : ((await readWireResult(store, values, runId, stepId)) ??
        (await readJoinedResult(store, values, runId, step)));
  const isErrorOnWire = step.status === 'protocolError' || step.status === 'unknownTool';
  return {
    runId,
    stepId,
    stepSeq: step.seq,
    tool,
    argumentsState: argumentsValue?.state ?? 'notCaptured',
    argumentsText: await values.wholeText(argumentsValue),
    resultText: hasResult ? await values.wholeText(result) : null,
    resultEvidence: evidence,
    wireResultText: wire?.text ?? null,
    resultIsProtocolError: evidence === 'wire' ? isErrorOnWire : (wire?.isError ?? false),
    resultIsCut:
      result !== null &&
      (result.state === 'elided' || result.elisions.length > 0 || result.encoding === 'cut-json'),
    toolDefinitionSha256: await hashDefinition(store, values, runId, step.server, tool),
  };
}

/** The exact bytes of a tool's recorded definition; null where the recording holds none. */
export async function readRecordedDefinition(
  store: Store,
  values: ValueReader,
  runId: RunId,
  server: string | null,
  tool: string,
): Promise<Uint8Array | null> {
  const named = (await store.listTools(runId)).filter(({ name }) => name === tool);
  // Without the server's name in the step, only a single definition can be the one.
  const found =
    named.find((each) => each.server === server) ?? (named.length === 1 ? named[0] : null);
  return found == null ? null : definitionBytes(values, found);
}

async function hashDefinition(
  ...place: Parameters<typeof readRecordedDefinition>
): Promise<RecordedCall['toolDefinitionSha256']> {
  const bytes = await readRecordedDefinition(...place);
  if (bytes === null) return null;
  return SourceHashSchema.parse(createHash('sha256').update(bytes).digest('hex'));
}
