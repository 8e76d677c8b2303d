import type { CapturedValue, Step } from '@misstep/model';
import type { ImportResult, SourceReader } from '../src/index.ts';
import { readValue } from './invariants.ts';

/**
 * An import result for people to review: what is null or empty is left out, values are shown by
 * their text, parents by their number.
 */
export async function renderResult(
  result: ImportResult,
  readers: readonly SourceReader[],
): Promise<unknown> {
  const sourceNames = new Map(readers.map(({ sha256, name }) => [sha256 as string, name]));
  const value = async (captured: CapturedValue | null): Promise<unknown> =>
    captured === null
      ? null
      : compact({
          state: captured.state,
          encoding: captured.state === 'notCaptured' ? null : captured.encoding,
          pointer: captured.origin?.pointer ?? null,
          text: await readValue(captured, readers),
          elisions: captured.elisions.map((elision) => ({ ...elision })),
        });
  const runs = [];
  for (const run of result.runs) {
    const numbers = new Map(run.steps.map(({ id, seq }) => [id, seq]));
    const steps = [];
    for (const step of run.steps) {
      const content = [];
      for (const part of step.content)
        content.push({ kind: part.kind, ...spread(await value(part.value)) });
      steps.push(
        compact({
          ...headOf(step, numbers),
          arguments: await value(step.arguments),
          result: await value(step.result),
          content,
        }),
      );
    }
    const frames = run.frames.map((frame) =>
      compact({
        kind: frame.kind,
        direction: frame.direction,
        method: frame.method,
        id: frame.idText,
        remark: frame.remark,
        step: frame.stepId === null ? null : (numbers.get(frame.stepId) ?? null),
        sizeBytes: frame.sizeBytes,
      }),
    );
    const tools = run.tools.map(({ server, name, definition, definitionText, isNameOnly }) => ({
      server,
      name,
      pointer: definition.pointer,
      ...(definitionText === undefined ? {} : { text: definitionText }),
      ...(isNameOnly === true ? { isNameOnly } : {}),
    }));
    const { key, title, client, model, naturalId, clock, recordedCostUsd } = run;
    const externalMarks = (run.externalMarks ?? []).map(({ stepId, origin, ...mark }) => ({
      ...mark,
      step: stepId === null ? null : numbers.get(stepId),
      offset: origin.offset,
    }));
    runs.push(
      compact({
        key,
        title,
        client,
        model,
        naturalId,
        clock,
        recordedCostUsd,
        steps,
        frames,
        tools,
        externalMarks,
      }),
    );
  }
  return {
    runs,
    sources: result.sources.map(({ sha256, records, unused }) =>
      compact({
        name: sourceNames.get(sha256),
        records,
        unused: unused.map(({ state, offset, length, reason }) => ({
          state,
          offset,
          length,
          reason,
        })),
      }),
    ),
    issues: result.issues.map(({ code, message, offset }) => ({ code, message, offset })),
  };
}

function headOf(step: Step, numbers: ReadonlyMap<string, number>): Record<string, unknown> {
  const { time, pairing } = step;
  const duration =
    time.startedAtNs === null || time.endedAtNs === null
      ? null
      : String(time.endedAtNs - time.startedAtNs);
  return {
    seq: step.seq,
    id: step.id,
    parent: step.parentId === null ? null : (numbers.get(step.parentId) ?? 'missing'),
    kind: step.kind,
    name: step.name,
    server: step.server,
    tool: step.tool,
    callId: step.callId,
    model: step.model,
    startedAtNs: time.startedAtNs === null ? null : String(time.startedAtNs),
    startedAtText: time.startedAtText,
    endedAtText: time.endedAtText,
    durationNs: duration,
    timeEvidence: time.startedAtText === null ? null : time.evidence,
    status: step.status === 'none' ? null : step.status,
    statusReason: step.statusReason,
    pairing: pairing === null ? null : `${pairing.by}${pairing.derived ? ' (derived)' : ''}`,
    usage: step.usage,
    recordedCostUsd: step.recordedCostUsd,
    emptyResult: step.emptyResult,
    furtherRecords: step.moreOrigins.length || null,
    summary: step.summary,
  };
}

function compact(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) =>
        value !== null &&
        value !== undefined &&
        value !== '' &&
        !(Array.isArray(value) && value.length === 0),
    ),
  );
}

function spread(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
