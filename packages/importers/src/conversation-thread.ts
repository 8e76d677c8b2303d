import type { JsonPlace } from './json-place.ts';
import { counted, type IssueList, SetAside } from './record-ledger.ts';

export interface ThreadNode {
  readonly place: JsonPlace;
  readonly parent: string | null;
}

/** The nodes from the root to `leaf`, each once; a parent that isn't there ends the way. */
export function threadTo(nodes: ReadonlyMap<string, ThreadNode>, leaf: string): string[] {
  const path: string[] = [];
  const seen = new Set<string>();
  let at: string | null = leaf;
  while (at !== null && !seen.has(at)) {
    const node = nodes.get(at);
    if (node === undefined) break;
    seen.add(at);
    path.push(at);
    at = node.parent;
  }
  return path.reverse();
}

export const OTHER_BRANCH = new SetAside('on another branch (an edit, a retry)');

/** Edits and retries leave branches that the person didn't go on with. */
export function noteBranch(
  issues: IssueList,
  { sha256, offset }: { sha256: JsonPlace['source']['sha256']; offset: number },
): void {
  issues.count(
    'BRANCHES_LEFT_OUT',
    (count) => `${counted(count, 'message')} of other branches (edits, retries) not shown.`,
    sha256,
    offset,
  );
}

/** Keys that tell runs apart, also where a source holds the same id twice. */
export function uniqueKey(taken: Set<string>, wanted: string): string {
  let key = wanted;
  for (let copy = 2; taken.has(key); copy += 1) key = `${wanted}~${copy}`;
  taken.add(key);
  return key;
}
