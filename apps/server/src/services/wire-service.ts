import type { WireJoin } from '@misstep/contract';
import { remarkOfPair } from '@misstep/diagnosis';
import { MisstepError, type RunId } from '@misstep/model';
import type { Store } from '@misstep/store';
import { joinKey, pairWithWire, readJoinedRun } from './replay/joined-wire.ts';
import type { ValueReader } from './value-reader.ts';

export interface WireService {
  /** What is joined to a run, or with `wireRunId` what joining that would give. */
  tell(runId: RunId, wireRunId?: RunId): Promise<WireJoin>;
  /** REQUEST_INVALID where one of the two is not what it has to be. */
  join(runId: RunId, wireRunId: RunId): Promise<WireJoin>;
  remove(runId: RunId): Promise<{ removed: boolean }>;
}

export function createWireService(store: Store, values: ValueReader): WireService {
  async function check(runId: RunId, wireRunId: RunId): Promise<void> {
    const { run } = await store.getRun(runId);
    const wire = await store.getRun(wireRunId);
    const hint =
      'Nothing was joined. `misstep runs` and the page Runs say of each run which evidence it has; a wire recording has `wire`.';
    const refuse = (message: string) => {
      throw new MisstepError('REQUEST_INVALID', message, { field: 'wireRunId' }, { hint });
    };
    if (runId === wireRunId) refuse('A run cannot be joined to itself.');
    if (run.bestEvidence === 'wire') {
      refuse(`Run ${runId} is a wire recording itself: name the transcript first.`);
    }
    if (wire.run.bestEvidence !== 'wire' || wire.frameCount === 0) {
      refuse(`Run ${wireRunId} is no wire recording: it holds no frames off the transport.`);
    }
  }

  async function tell(runId: RunId, given?: RunId): Promise<WireJoin> {
    await store.getRun(runId);
    if (given !== undefined) await check(runId, given);
    const wireRunId = given ?? (await readJoinedRun(store, runId));
    if (wireRunId === null) return { wireRun: null, pairedCount: 0, calls: [], wireAlone: [] };
    const { run } = await store.getRun(wireRunId);
    const { pairs, wireAlone } = await pairWithWire(store, values, { runId, wireRunId });
    return {
      wireRun: { id: run.id, title: run.title },
      pairedCount: pairs.filter(({ wire }) => wire !== null).length,
      calls: pairs.map((pair) => ({
        stepId: pair.call.stepId,
        seq: pair.call.seq,
        tool: pair.call.tool,
        wire: pair.wire === null ? null : { stepId: pair.wire.stepId, seq: pair.wire.seq },
        by: pair.by,
        remark: remarkOfPair(pair),
      })),
      wireAlone: wireAlone.map(({ stepId, seq, tool }) => ({ stepId, seq, tool })),
    };
  }

  return {
    tell,
    async join(runId, wireRunId) {
      await check(runId, wireRunId);
      await store.setSetting(joinKey(runId), wireRunId);
      return tell(runId);
    },
    async remove(runId) {
      await store.getRun(runId);
      const kept = await store.getSetting(joinKey(runId));
      if (kept === null || kept === '') return { removed: false };
      await store.setSetting(joinKey(runId), '');
      return { removed: true };
    },
  };
}
