import type { RunFrame } from '@misstep/model';

/** Columns of `frames` after `runKey` and `ordinal`, in the order of a row. */
export const FRAME_COLUMNS = ['stepId', 'frameJson'] as const;

export type FrameRow = readonly [stepId: string | null, frameJson: string];

/** A frame as JSON; its times as digits, since JSON has no bigint. */
export function encodeFrame(frame: RunFrame): FrameRow {
  const frameJson = JSON.stringify({
    ...frame,
    monotonicNs: frame.monotonicNs?.toString() ?? null,
    wallNs: frame.wallNs?.toString() ?? null,
  });
  return [frame.stepId, frameJson];
}

export function decodeFrame(frameJson: string): RunFrame {
  // Written by encodeFrame.
  const frame = JSON.parse(frameJson) as Omit<RunFrame, 'monotonicNs' | 'wallNs'> & {
    monotonicNs: string | null;
    wallNs: string | null;
  };
  return {
    ...frame,
    monotonicNs: frame.monotonicNs === null ? null : BigInt(frame.monotonicNs),
    wallNs: frame.wallNs === null ? null : BigInt(frame.wallNs),
  };
}
