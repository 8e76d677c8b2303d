import type { RunFrameDetail, SourceWindow, StepDetail, UnusedPage } from '@misstep/contract';
import {
  costOfStep,
  durationOf,
  MisstepError,
  type RecordingAudit,
  type RunId,
  type Skeleton,
  type SourceHash,
  type StepId,
} from '@misstep/model';
import type { Page, Store, UnusedFilter } from '@misstep/store';
import type { PriceService } from './price-service.ts';
import type { RunDerivations } from './run-derivations.ts';
import type { ValueReader } from './value-reader.ts';

/** Bytes of text sent with each frame or record of a list; a step's own values have their cap. */
const LISTED_TEXT_BYTES = 65_536;
/** And of a whole list, so that a thousand large frames don't fill the memory. */
const LIST_BUDGET_BYTES = 16_777_216;
/** Content parts beyond this share of `maxBytes` each would multiply it. */
const MIN_PART_BYTES = 1024;

export interface StepService {
  skeleton(runId: RunId): Promise<Skeleton>;
  /** What the recording can answer. */
  audit(runId: RunId): Promise<RecordingAudit>;
  detail(runId: RunId, stepId: StepId, maxBytes: number): Promise<StepDetail>;
  frames(
    runId: RunId,
    filter: Page & { stepId?: StepId },
  ): Promise<{ total: number; frames: RunFrameDetail[] }>;
  unused(runId: RunId, filter: Page & UnusedFilter): Promise<UnusedPage>;
  sourceWindow(sha256: SourceHash, offset: number, length: number): Promise<SourceWindow>;
}

export function createStepService(
  store: Store,
  values: ValueReader,
  derivations: RunDerivations,
  prices: PriceService,
): StepService {
  return {
    async skeleton(runId) {
      return (await derivations.of(await store.getRun(runId))).skeleton;
    },

    async audit(runId) {
      return (await derivations.of(await store.getRun(runId))).audit;
    },

    async detail(runId, stepId, maxBytes) {
      const step = await store.getStep(runId, stepId);
      const [frames, replays] = await Promise.all([
        store.listFrames(runId, { stepId, offset: 0, limit: 1 }),
        store.listReplays({ runId, stepId, limit: 1 }),
      ]);
      const { time, moreOrigins, content, ...fields } = step;
      const partBytes = Math.max(
        MIN_PART_BYTES,
        Math.floor(maxBytes / Math.max(1, content.length)),
      );
      const parts: StepDetail['content'] = [];
      for (const { kind, value, name } of content) {
        const shown = await values.detail(value, Math.min(maxBytes, partBytes));
        if (shown === null) continue;
        parts.push({ kind, value: shown, ...(name === undefined ? {} : { name }) });
      }
      const { summary: _summary, recordedCostUsd: _recorded, ...kept } = fields;
      return {
        ...kept,
        runId,
        startedAtNs: time.startedAtNs?.toString() ?? null,
        endedAtNs: time.endedAtNs?.toString() ?? null,
        startedAtText: time.startedAtText,
        endedAtText: time.endedAtText,
        durationNs: durationOf(step),
        timeEvidence: time.evidence,
        cost: costOfStep(step, await prices.finder()),
        arguments: await values.detail(step.arguments, maxBytes),
        result: await values.detail(step.result, maxBytes),
        content: parts,
        moreOrigins: [...moreOrigins],
        frameCount: frames.total,
        replayCount: replays.total,
      };
    },

    async frames(runId, filter) {
      await store.getRun(runId);
      const { total, frames } = await store.listFrames(runId, filter);
      let budgetBytes = LIST_BUDGET_BYTES;
      const details: RunFrameDetail[] = [];
      for (const { monotonicNs, wallNs, ...frame } of frames) {
        const { text, omittedBytes } = await values.window(
          frame.origin,
          Math.min(LISTED_TEXT_BYTES, budgetBytes),
        );
        budgetBytes -= frame.origin.length - omittedBytes;
        details.push({
          ...frame,
          monotonicNs: monotonicNs?.toString() ?? null,
          wallNs: wallNs?.toString() ?? null,
          text,
          omittedBytes,
        });
      }
      return { total, frames: details };
    },

    async unused(runId, filter) {
      await store.getRun(runId);
      const { groups, records, ...counts } = await store.listUnused(runId, filter);
      let budgetBytes = LIST_BUDGET_BYTES;
      const shown: UnusedPage['records'] = [];
      for (const record of records) {
        const { text, omittedBytes } = await values.window(
          record,
          Math.min(LISTED_TEXT_BYTES, budgetBytes),
        );
        budgetBytes -= record.length - omittedBytes;
        shown.push({ ...record, text, omittedBytes });
      }
      return { ...counts, groups: [...groups], records: shown };
    },

    async sourceWindow(sha256, offset, length) {
      const source = await store.findSource(sha256);
      if (source === null) {
        throw new MisstepError('SOURCE_NOT_FOUND', `There is no source ${sha256}.`);
      }
      const start = Math.min(offset, source.sizeBytes);
      const bytes = await store.readSource(
        sha256,
        start,
        Math.min(length, source.sizeBytes - start),
      );
      return {
        sha256,
        sizeBytes: source.sizeBytes,
        offset: start,
        length: bytes.length,
        base64: Buffer.from(bytes).toString('base64'),
      };
    },
  };
}
