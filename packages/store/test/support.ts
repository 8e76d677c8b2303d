import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CapturedValue,
  type RunFrame,
  RunIdSchema,
  type SourceHash,
  SourceHashSchema,
  type Step,
  StepIdSchema,
  TargetNameSchema,
  type Ulid,
  UlidSchema,
} from '@misstep/model';
import { onTestFinished } from 'vitest';
import type { ImportToSave, NewReplay, RunToSave, Store, StoredSource } from '../src/index.ts';
import { openStore } from '../src/index.ts';

export const runIdOf = (number: number) =>
  RunIdSchema.parse(`r${String(number).padStart(20, '0')}`);
export const stepIdOf = (seq: number) => StepIdSchema.parse(`s${seq}`);
export const targetNameOf = (name: string) => TargetNameSchema.parse(name);
export const replayIdOf = (number: number): Ulid =>
  UlidSchema.parse(`01J${String(number).padStart(23, '0')}`);

/** A folder of the test's own, gone when it ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'misstep-store-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function openTemporaryStore(dataFolder?: string): Promise<Store> {
  const store = await openStore({ dataFolder: dataFolder ?? (await temporaryFolder()) });
  onTestFinished(() => store.close());
  return store;
}

export async function addSource(
  store: Store,
  content: string,
  name = 'paste.txt',
): Promise<StoredSource> {
  const writer = await store.createSource(name);
  await writer.write(new TextEncoder().encode(content));
  return await writer.finish();
}

export function hashOf(content: string): SourceHash {
  return SourceHashSchema.parse(createHash('sha256').update(content).digest('hex'));
}

export function value(sha256: SourceHash, offset: number): CapturedValue {
  return {
    state: 'captured',
    evidence: 'logged',
    origin: { sha256, offset, length: 40, pointer: '/message/content/0/input' },
    encoding: 'json',
    inlineText: null,
    elisions: [],
  };
}

export function makeStep(sha256: SourceHash, seq: number, change: Partial<Step> = {}): Step {
  const startedAtNs = 1_764_489_600_000_000_123n + BigInt(seq) * 1_000_000n;
  return {
    id: stepIdOf(seq),
    seq,
    parentId: seq === 1 ? null : stepIdOf(1),
    kind: seq === 1 ? 'user' : 'tool',
    name: seq === 1 ? 'User turn' : 'find_bookings',
    server: null,
    tool: seq === 1 ? null : 'find_bookings',
    callId: `call_${seq}`,
    model: null,
    time: {
      startedAtNs,
      endedAtNs: startedAtNs + 500n,
      startedAtText: `[09:00:${seq}]`,
      endedAtText: null,
      evidence: 'logged',
    },
    status: 'ok',
    statusReason: null,
    pairing: { by: 'id', derived: false },
    arguments: value(sha256, seq * 100),
    result: value(sha256, seq * 100 + 50),
    content: [],
    usage: null,
    recordedCostUsd: null,
    evidence: 'logged',
    origin: { sha256, offset: seq * 100, length: 100, pointer: '' },
    moreOrigins: [],
    summary: `harbour ${seq}`,
    emptyResult: false,
    ...change,
  };
}

export function makeFrame(
  sha256: SourceHash,
  seq: number,
  change: Partial<RunFrame> = {},
): RunFrame {
  return {
    seq,
    kind: 'request',
    method: 'tools/call',
    idText: String(seq),
    remark: null,
    direction: 'client-to-server',
    transport: 'stdio',
    monotonicNs: BigInt(seq) * 1000n,
    wallNs: 1_764_489_600_000_000_000n,
    origin: { sha256, offset: seq * 10, length: 10, pointer: '' },
    sizeBytes: 10,
    stepId: null,
    ...change,
  };
}

export interface RunChange {
  readonly number?: number;
  readonly stepCount?: number;
  readonly steps?: readonly Step[];
  readonly frames?: readonly RunFrame[];
  readonly run?: Partial<RunToSave['run']>;
}

export function makeRun(sha256: SourceHash, change: RunChange = {}): SavedRun {
  const steps =
    change.steps ??
    Array.from({ length: change.stepCount ?? 3 }, (_, index) => makeStep(sha256, index + 1));
  return {
    run: {
      id: runIdOf(change.number ?? 1),
      title: 'Bookings of last week',
      format: 'claude-code',
      client: 'Claude Code',
      model: null,
      naturalId: 'session-1',
      clock: 'zoned',
      startedAtNs: steps[0]?.time.startedAtNs ?? null,
      endedAtNs: steps.at(-1)?.time.endedAtNs ?? null,
      stepCount: steps.length,
      toolCallCount: 2,
      modelCallCount: 0,
      errorCount: 0,
      inputTokens: null,
      outputTokens: 12,
      modelUsage: [],
      recordedCostUsd: null,
      bestEvidence: 'logged',
      calledTools: ['track'],
      ...change.run,
    },
    steps,
    frames: change.frames ?? [],
    tools: [],
    sources: [{ sha256, role: 'main', part: null }],
  };
}

export function makeImport(
  sha256: SourceHash,
  runs: readonly RunToSave[],
  change: Partial<ImportToSave> = {},
): ImportToSave {
  return {
    format: 'claude-code',
    formatRevision: 1,
    runs,
    sources: [
      {
        sha256,
        records: { total: 3, understood: 3, setAside: 0, notUnderstood: 0, malformed: 0 },
        unused: [],
        unlisted: [],
        lineage: sha256,
      },
    ],
    issues: [],
    ...change,
  };
}

export type SavedRun = RunToSave & { readonly steps: readonly Step[] };

/** A store's run of three steps, saved from a source of its own. */
export async function saveRun(
  store: Store,
  change: RunChange & { content?: string } = {},
): Promise<SavedRun> {
  const source = await addSource(store, change.content ?? `content ${change.number ?? 1}`);
  const run = makeRun(source.sha256, change);
  await store.saveImport(makeImport(source.sha256, [run]));
  return run;
}

export function makeReplay(number: number, change: Partial<NewReplay> = {}): NewReplay {
  return {
    id: replayIdOf(number),
    runId: runIdOf(1),
    stepId: stepIdOf(2),
    stepSeq: 2,
    targetName: targetNameOf(`bookings-${number}`),
    tool: 'find_bookings',
    argumentsText: '{"limit": 9007199254740993}',
    idempotencyKey: `key-${number}`,
    transport: 'stdio',
    startedAt: '2026-11-30T09:00:00.000Z',
    experimentId: null,
    prepared: null,
    ...change,
  };
}
