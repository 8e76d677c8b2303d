import type { LookedFolder } from '@misstep/contract';
import { countOf, formatCount } from '../../ui/format-count.ts';

/** What of a folder was not looked at. */
export function folderRemarks(
  folder: Pick<LookedFolder, 'linkCount' | 'unreadableCount' | 'isCut'>,
): string[] {
  return [
    folder.linkCount > 0 ? `${countOf(folder.linkCount, 'link')} not followed` : null,
    folder.unreadableCount > 0 ? `${formatCount(folder.unreadableCount)} not readable` : null,
    folder.isCut ? 'too large to be looked through, there may be more' : null,
  ].filter((remark) => remark !== null);
}
