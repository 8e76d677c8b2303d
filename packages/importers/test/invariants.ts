import assert from 'node:assert/strict';
import { nodeText, parseJson, parseJsonBytes, resolvePointer } from '@misstep/json';
import {
  type CapturedValue,
  ImportIssueSchema,
  type Origin,
  RunFrameSchema,
  type Step,
  StepSchema,
  UnusedRecordSchema,
  UnusedStateSchema,
  valueText,
} from '@misstep/model';
import { expect } from 'vitest';
import type { ImportResult, SourceReader } from '../src/index.ts';
import { readersByHash } from './support.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** What must be true of every import, whatever the format and however damaged the source. */
export function expectAccountsAddUp(result: ImportResult, readers: readonly SourceReader[]): void {
  // Asserted without `expect`, which is too slow for the thousands of cuts that come through here.
  assert.deepEqual(
    result.sources.map(({ sha256 }) => sha256),
    readers.map(({ sha256 }) => sha256),
  );
  const byHash = readersByHash(readers);
  for (const { records, unused, unlisted, sha256 } of result.sources) {
    const size = byHash.get(sha256)?.sizeBytes ?? -1;
    const { total, understood, setAside, notUnderstood, malformed } = records;
    assert.equal(total, understood + (setAside ?? 0) + notUnderstood + malformed);
    for (const state of UnusedStateSchema.options) {
      const listed = unused.filter((record) => record.state === state).length;
      const more = unlisted.filter((group) => group.state === state);
      const counted = more.reduce((sum, { count }) => sum + count, listed);
      assert.equal(counted, records[state], `${state} records`);
    }
    for (const record of unused) {
      UnusedRecordSchema.parse(record);
      assert.notEqual(record.reason, '');
      assert.ok(record.length > 0, 'an unused record has bytes');
      assert.ok(record.offset + record.length <= size, 'an unused record lies in its source');
    }
  }
  for (const issue of result.issues) {
    ImportIssueSchema.parse(issue);
    assert.match(issue.code, /^[A-Z][A-Z0-9_]+$/);
    assert.notEqual(issue.message, '');
    assert.ok(byHash.has(issue.sha256), 'an issue is about a source of the import');
  }
  for (const run of result.runs) {
    expectTree(run.steps);
    for (const step of run.steps)
      for (const origin of originsOf(step)) expectInside(origin, byHash);
    const ids = new Set(run.steps.map(({ id }) => id));
    run.frames.forEach((frame, index) => {
      assert.equal(frame.seq, index + 1);
      expectInside(frame.origin, byHash);
      if (frame.stepId !== null) assert.ok(ids.has(frame.stepId), 'a frame leads to a step');
    });
    for (const { definition } of run.tools) expectInside(definition, byHash);
  }
}

export function expectSchemas(result: ImportResult): void {
  for (const run of result.runs) {
    for (const step of run.steps) {
      expect(StepSchema.parse(step)).toEqual(step);
      expect(step.name).not.toBe('');
      expect(step.summary.length).toBeLessThanOrEqual(240);
      expect(step.summary).not.toMatch(/[\n\r\t]/);
    }
    for (const frame of run.frames) RunFrameSchema.parse(frame);
  }
}

function expectTree(steps: readonly Step[]): void {
  const before = new Set<string>();
  steps.forEach((step, index) => {
    if (step.seq !== index + 1)
      throw new Error(`step ${step.id} has seq ${step.seq}, not ${index + 1}`);
    if (before.has(step.id)) throw new Error(`two steps have the id ${step.id}`);
    if (step.parentId !== null && !before.has(step.parentId)) {
      throw new Error(`step ${step.id} comes before its parent ${step.parentId}`);
    }
    before.add(step.id);
  });
}

function expectInside(origin: Origin, byHash: ReadonlyMap<string, SourceReader>): void {
  const size = byHash.get(origin.sha256)?.sizeBytes;
  if (size === undefined || origin.offset + origin.length > size) {
    throw new Error(`origin ${JSON.stringify(origin)} lies outside its source of ${size} bytes`);
  }
}

/** Every definition is a JSON object that names its tool; a bare name is that name. */
export async function expectToolsReread(
  { runs }: ImportResult,
  readers: readonly SourceReader[],
): Promise<void> {
  const byHash = readersByHash(readers);
  for (const { definition, definitionText, isNameOnly, name } of runs.flatMap((run) => run.tools)) {
    const bytes = await byHash.get(definition.sha256)?.read(definition.offset, definition.length);
    const text = definitionText ?? decoder.decode(bytes);
    const parsed = parseJson(text);
    const value = parsed.ok ? parsed.value.root.kind : text;
    if (isNameOnly === true) expect(text).toContain(name);
    else expect([name, value]).toEqual([name, 'object']);
  }
}

export function valuesOf(step: Step): CapturedValue[] {
  return [step.arguments, step.result, ...step.content.map(({ value }) => value)].filter(
    (value) => value !== null,
  );
}

function originsOf(step: Step): Origin[] {
  return [
    step.origin,
    ...step.moreOrigins,
    ...valuesOf(step).flatMap(({ origin }) => origin ?? []),
  ];
}

/** The text of a value, read again from the bytes at its origin. */
export async function readValue(
  value: CapturedValue,
  readers: readonly SourceReader[],
): Promise<string | null> {
  if (value.encoding === 'inline') return value.inlineText;
  const { origin } = value;
  if (origin === null) return null;
  const reader = readersByHash(readers).get(origin.sha256);
  const bytes = await reader?.read(origin.offset, origin.length);
  return bytes === undefined ? null : valueText(value.encoding, decoder.decode(bytes));
}

/** Every value re-reads from its origin as its encoding says, and its pointer leads there. */
export async function expectValuesReread(
  result: ImportResult,
  readers: readonly SourceReader[],
): Promise<number> {
  let count = 0;
  for (const run of result.runs) {
    for (const step of run.steps) {
      for (const value of valuesOf(step)) {
        const text = await readValue(value, readers);
        if (value.state === 'notCaptured') {
          expect(value.origin).toBeNull();
          expect(text).toBeNull();
          continue;
        }
        count += 1;
        expect(text).not.toBeNull();
        expect(value.state === 'elided').toBe(value.elisions.length > 0);
        if (value.encoding === 'json') expect(parseJson(text ?? '').ok).toBe(true);
        const { origin } = value;
        if (origin === null || origin.pointer === '' || value.encoding === 'inline') continue;
        await expectPointerLeadsTo(step, origin, readers);
      }
    }
  }
  return count;
}

async function expectPointerLeadsTo(
  step: Step,
  origin: Origin,
  readers: readonly SourceReader[],
): Promise<void> {
  const reader = readersByHash(readers).get(origin.sha256);
  const records = [step.origin, ...step.moreOrigins].filter(
    (record) =>
      record.sha256 === origin.sha256 &&
      record.offset <= origin.offset &&
      record.offset + record.length >= origin.offset + origin.length,
  );
  expect(records.length).toBeGreaterThan(0);
  const told = decoder.decode(await reader?.read(origin.offset, origin.length));
  for (const record of records) {
    const whole = parseJsonBytes(
      (await reader?.read(record.offset, record.length)) ?? new Uint8Array(),
    );
    if (!whole.ok) continue;
    // A wire frame's record is the frame itself, even where it stands inside an envelope.
    const inner = origin.pointer.slice(record.pointer.length);
    const node = resolvePointer(whole.value, inner);
    expect(node === undefined ? null : nodeText(whole.value, node)).toBe(told);
  }
}
