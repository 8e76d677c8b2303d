import { createHash } from 'node:crypto';
import { decodeUtf8 } from '@misstep/json';
import { maskSecrets } from '@misstep/mcp';
import {
  type Experiment,
  type ExperimentCall,
  type ExperimentPlan,
  type ExperimentRequest,
  MisstepError,
  type RunId,
  type Target,
} from '@misstep/model';
import {
  AttributeExperiment,
  BoundaryExperiment,
  type ExperimentMachine,
  medianOf,
  placesToLookAt,
  planArguments,
  pointerFault,
  RaceExperiment,
  type RecordedCall,
  RepeatExperiment,
  readLoggedCall,
  readSignature,
  viewResult,
} from '@misstep/replay';
import type { Store, StoredReplay } from '@misstep/store';
import { readFrameLogFile } from '../replay/frame-log-file.ts';
import { readRecordedCall } from '../replay/recorded-call.ts';
import { refused } from '../replay/refusals.ts';
import type { KnownToolLists } from '../schema/known-tool-lists.ts';
import type { ExitService } from '../secrets/exit-secrets.ts';
import type { ValueReader } from '../value-reader.ts';
import { judgeHarm } from './judge-harm.ts';

/** How many earlier replays are asked for how long a call takes. */
const MOST_SAMPLES = 50;

/** An experiment that could be sent now; nothing has been. */
export interface PlannedExperiment {
  readonly plan: ExperimentPlan;
  readonly machine: ExperimentMachine<unknown>;
  readonly race: RaceExperiment | null;
  readonly recorded: RecordedCall;
  readonly target: Target;
  /** What is known by now, as it is kept and shown. */
  matrix(): Experiment['matrix'];
}

interface Options {
  readonly store: Store;
  readonly values: ValueReader;
  /** What servers last said of their tools. */
  readonly knownTools: Pick<KnownToolLists, 'newest'>;
  readonly exits: Pick<ExitService, 'ofReplay'>;
}

/** REPLAY_REFUSED, REQUEST_INVALID, and what is not found. Reads, and sends nothing. */
export async function planExperiment(
  { store, values, knownTools, exits }: Options,
  runId: RunId,
  request: ExperimentRequest,
  seed: number,
): Promise<PlannedExperiment> {
  const target = await store.getTarget(request.targetName);
  const a = await readCall(store, values, runId, request.call, 'A');
  const { recorded } = a;
  const second = request.kind === 'repeat' ? null : request.callB;
  const b = second === null ? null : await readCall(store, values, runId, second, 'B');
  if (b !== null && b.recorded.tool !== recorded.tool) {
    throw invalid(
      'callB',
      `A calls ${recorded.tool} and B ${b.recorded.tool}: they must be of one tool.`,
    );
  }
  const made = makeMachine(request, a.plan.argumentsText, b?.plan.argumentsText ?? null, seed);
  const { callCount, what, order } = made.machine.plan;
  const { replays } = await store.listReplays({ runId, limit: MOST_SAMPLES * 4 });
  const own = replays
    .filter((each) => each.tool === recorded.tool && each.targetName === target.name)
    .slice(0, MOST_SAMPLES);
  const harm = await judgeHarm({ store, values, knownTools }, recorded, target, own, callCount);
  const content = {
    request,
    kind: request.kind,
    tool: recorded.tool,
    callCount,
    ...harm,
    sentence: `${callCount} ${callCount === 1 ? 'call' : 'calls'} at most: ${what}. ${harm.harm}`,
    calls: [a.plan, ...(b === null ? [] : [b.plan])],
    order: [...order].map(({ id, label, round }) => ({ id, label, round })),
    seed,
    wholeLattice: made.wholeLattice,
  };
  return {
    plan: {
      ...content,
      expected: await expectTime(store, runId, request, callCount, own),
      places: await findPlaces(recorded, own[0], exits),
      // The address too: a target of the same name may have been put in its place.
      sha256: createHash('sha256')
        .update(JSON.stringify([content, target.address, target.settings]))
        .digest('hex'),
    },
    machine: made.machine,
    race: made.race,
    recorded,
    target,
    matrix: made.matrix,
  };
}

function makeMachine(
  request: ExperimentRequest,
  textA: string,
  textB: string | null,
  seed: number,
): Pick<PlannedExperiment, 'machine' | 'race' | 'matrix'> & { wholeLattice: boolean | null } {
  if (request.kind === 'repeat') {
    const machine = new RepeatExperiment({ argumentsText: textA, times: request.times });
    const matrix = () => ({ kind: 'repeat' as const, ...machine.matrix() });
    return { machine, race: null, matrix, wholeLattice: null };
  }
  if (request.kind === 'race') {
    const { atOnce, connections } = request;
    const machine = new RaceExperiment({ textA, textB, atOnce, connections });
    const matrix = () => ({ kind: 'race' as const, ...machine.matrix() });
    return { machine, race: machine, matrix, wholeLattice: null };
  }
  const signature = readSignature(request.signature);
  if (!signature.ok) throw invalid('signature', signature.error);
  for (const pointer of request.ignoredPointers) {
    const fault = pointerFault(pointer);
    if (fault !== null) throw invalid('ignoredPointers', fault);
  }
  const common = {
    textA,
    textB: textB ?? textA,
    signature: signature.value,
    ignoredPointers: request.ignoredPointers,
  };
  if (request.kind === 'boundary') {
    const { argument, elsewhere } = request;
    const made = BoundaryExperiment.create({ ...common, argument, elsewhere });
    if (!made.ok) throw invalid('argument', made.error);
    const machine = made.value;
    const matrix = () => ({ kind: 'boundary' as const, ...machine.matrix() });
    return { machine, race: null, matrix, wholeLattice: null };
  }
  const made = AttributeExperiment.create({ ...common, repeats: request.repeats, seed });
  if (!made.ok) throw invalid('callB', made.error);
  const machine = made.value;
  const matrix = () => ({ kind: 'attribute' as const, ...machine.matrix() });
  return { machine, race: null, matrix, wholeLattice: machine.isWhole };
}

async function readCall(
  store: Store,
  values: ValueReader,
  runId: RunId,
  call: ExperimentCall,
  name: 'A' | 'B',
): Promise<{ recorded: RecordedCall; plan: ExperimentPlan['calls'][number] }> {
  const recorded = await readRecordedCall(store, values, runId, call.stepId);
  const replay = call.replayId === null ? null : await store.getReplay(call.replayId);
  if (replay !== null && (replay.runId !== runId || replay.tool !== recorded.tool)) {
    throw invalid(
      name === 'A' ? 'call' : 'callB',
      `Replay ${replay.id} is of another run or tool, so it can't be ${name}.`,
    );
  }
  const given = call.argumentsText ?? replay?.argumentsText ?? null;
  const args = planArguments(recorded, given);
  if (!args.ok) throw refused(args.error);
  const isRecorded =
    recorded.argumentsState === 'captured' && args.value.argumentsText === recorded.argumentsText;
  return {
    recorded,
    plan: {
      name,
      stepId: call.stepId,
      stepSeq: recorded.stepSeq,
      from:
        call.argumentsText !== null && !isRecorded
          ? 'edited'
          : replay === null
            ? 'recorded'
            : 'replay',
      replayId: call.replayId,
      argumentsText: args.value.argumentsText,
    },
  };
}

async function expectTime(
  store: Store,
  runId: RunId,
  request: ExperimentRequest,
  callCount: number,
  replays: readonly StoredReplay[],
): Promise<ExperimentPlan['expected']> {
  const samples = replays.flatMap(({ receipt }) => (receipt === null ? [] : [receipt.durationNs]));
  const calls = request.kind === 'race' ? callCount - request.atOnce + 1 : callCount;
  const total = (ns: number) => Math.round(calls * Math.max(request.gapMs, ns / 1e6));
  const median = medianOf(samples);
  if (median !== null) {
    return { ms: total(median), basis: 'replays', sampleCount: samples.length };
  }
  const step = await store.getStep(runId, request.call.stepId);
  const { startedAtNs: from, endedAtNs: to } = step.time;
  if (from === null || to === null || to < from) return { ms: null, basis: null, sampleCount: 0 };
  return { ms: total(Number(to - from)), basis: 'recording', sampleCount: 1 };
}

/** In the newest answer of a replay, else in the recorded result. */
async function findPlaces(
  recorded: RecordedCall,
  newest: StoredReplay | undefined,
  exits: Pick<ExitService, 'ofReplay'>,
): Promise<ExperimentPlan['places']> {
  if (newest !== undefined) {
    const { resultBytes } = readLoggedCall(await readFrameLogFile(newest.frameLogPath));
    const { inTexts } = await exits.ofReplay(newest);
    const view =
      resultBytes === null ? null : viewResult(maskSecrets(decodeUtf8(resultBytes).text, inTexts));
    if (view !== null) return placesToLookAt(view);
  }
  const view = recorded.resultText === null ? null : viewResult(recorded.resultText);
  return view === null ? [] : placesToLookAt(view);
}

function invalid(field: string, sentence: string): MisstepError {
  const hint = `Nothing was sent. Change \`${field}\` of the plan, or choose another kind of experiment.`;
  return new MisstepError('REQUEST_INVALID', sentence, { field }, { hint });
}
