import type { FollowedFolderState } from '@misstep/contract';
import { useState } from 'react';
import { useFollow, useImportFound, useLookAtFolder } from '../../api/find.ts';
import { Button } from '../../ui/button.tsx';
import { countOf, formatBytes } from '../../ui/format-count.ts';
import { formatMoment } from '../../ui/format-time.ts';
import page from '../../ui/page.module.css';
import text from '../../ui/text.module.css';
import { ProblemLine } from '../shell/problem-notice.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import { FolderField } from './folder-field.tsx';
import { folderRemarks } from './folder-remarks.ts';
import styles from './typed-folder.module.css';

/** Any folder, by its path: looked at first, then imported, or followed, or both. */
export function TypedFolder(props: { followed: readonly FollowedFolderState[] }) {
  const [path, setPath] = useState('');
  const look = useLookAtFolder();
  const start = useImportFound();
  const follow = useFollow();
  const folder = look.data;
  const lookAt = (typed: string) => {
    start.reset();
    follow.reset();
    look.mutate(typed);
  };
  const isFollowed =
    folder !== undefined && props.followed.some((each) => each.path === folder.folder);
  const remarks =
    folder === undefined
      ? []
      : [
          folder.newestAt === null ? null : `newest ${formatMoment(folder.newestAt)}`,
          ...folderRemarks(folder),
        ].filter((remark) => remark !== null);
  return (
    <>
      <form
        className={styles.line}
        onSubmit={(event) => {
          event.preventDefault();
          if (path.trim() !== '') lookAt(path);
        }}
      >
        <FolderField value={path} onChange={setPath} />
        <Button type="submit" unavailable={path.trim() === '' || look.isPending}>
          Look
        </Button>
      </form>
      {look.isError ? <ProblemLine error={look.error} /> : null}
      {folder === undefined || look.isError ? null : (
        <div className={styles.found}>
          <span role="status">
            <span className={text.monoSmall}>{visibleLine(folder.folder)}</span>
            {`: ${countOf(folder.fileCount, 'file')}, ${formatBytes(folder.sizeBytes)}${remarks.map((remark) => `; ${remark}`).join('')}`}
          </span>
          <span className={page.answers}>
            <Button
              unavailable={folder.fileCount === 0 || start.isPending}
              onClick={() => start.mutate({ ids: [folder.id], since: null })}
            >
              {`Import ${countOf(folder.fileCount, 'file')}`}
            </Button>
            {isFollowed ? (
              <span className={text.secondary}>followed</span>
            ) : (
              <Button
                unavailable={follow.isPending}
                title="Import new and grown files while Misstep runs"
                onClick={() => follow.mutate(folder.id)}
              >
                Follow this folder
              </Button>
            )}
          </span>
        </div>
      )}
      {start.isError ? <ProblemLine error={start.error} /> : null}
      {follow.isError ? <ProblemLine error={follow.error} /> : null}
    </>
  );
}
