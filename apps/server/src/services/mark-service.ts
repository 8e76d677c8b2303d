import type { Mark, MarkDraft, RunId } from '@misstep/model';
import type { Store } from '@misstep/store';
import type { HeavyWork } from '../jobs/heavy-work.ts';
import { checkCitations } from './check-citations.ts';
import type { ValueReader } from './value-reader.ts';

export interface MarkService {
  list(runId: RunId): Promise<Mark[]>;
  /** CITATION_NOT_FOUND where a cited place is in none of what the citation points at. */
  put(runId: RunId, draft: MarkDraft): Promise<Mark>;
  remove(runId: RunId): Promise<{ removed: boolean }>;
}

/** Marks are signed by whoever runs Misstep on this machine. */
export function createMarkService(
  store: Store,
  values: ValueReader,
  heavy: HeavyWork,
  author: string,
): MarkService {
  return {
    async list(runId) {
      await store.getRun(runId);
      return [...(await store.listMarks(runId))];
    },
    async put(runId, draft) {
      await checkCitations({ store, values, heavy }, runId, draft.citations);
      return store.putMark(runId, draft, author);
    },
    async remove(runId) {
      await store.getRun(runId);
      return { removed: await store.removeMark(runId) };
    },
  };
}
