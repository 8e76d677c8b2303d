import { useMemo } from 'react';
import type { RunModel } from '../run/use-run-model.ts';
import { matchSteps } from './find-matches.ts';
import type { FindReading } from './find-query.ts';
import { listVisibleRows, type TreeView, type VisibleRows } from './visible-rows.ts';

export interface TreeRows {
  readonly visible: VisibleRows;
  readonly matches: Uint8Array | null;
  readonly filtered: boolean;
}

/** Rows of the tree for a view, folds and a filter. */
export function useTreeRows(
  model: RunModel,
  view: TreeView,
  folded: ReadonlySet<number>,
  reading: FindReading & { ok: true },
): TreeRows {
  const matches = useMemo(
    () => matchSteps(model.skeleton, reading.terms),
    [model.skeleton, reading.terms],
  );
  const visible = useMemo(
    () =>
      listVisibleRows({
        shape: model.shape,
        view,
        folded,
        matches,
        gaps: model.gaps,
        startsNs: model.skeleton.startsNs,
      }),
    [model, view, folded, matches],
  );
  return { visible, matches, filtered: matches !== null };
}
