import type { Mark, MarkDraft, RunId } from '@misstep/model';
import type { Store } from '@misstep/store';

export interface MarkService {
  list(runId: RunId): Promise<Mark[]>;
  put(runId: RunId, draft: MarkDraft): Promise<Mark>;
  remove(runId: RunId): Promise<{ removed: boolean }>;
}

/** Marks are signed by whoever runs Misstep on this machine. */
export function createMarkService(store: Store, author: string): MarkService {
  return {
    async list(runId) {
      await store.getRun(runId);
      return [...(await store.listMarks(runId))];
    },
    put: (runId, draft) => store.putMark(runId, draft, author),
    async remove(runId) {
      await store.getRun(runId);
      return { removed: await store.removeMark(runId) };
    },
  };
}
