import type { FollowedFolderState, FoundFolder } from '@misstep/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useFollow, useFollowed, useFound, useImportFound, useUnfollow } from '../../api/find.ts';
import { useImports } from '../../api/imports.ts';
import { useTitle } from '../../state/use-title.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { countOf, formatBytes, formatCount } from '../../ui/format-count.ts';
import { formatMoment } from '../../ui/format-time.ts';
import { Notice } from '../../ui/notice.tsx';
import page from '../../ui/page.module.css';
import { PanelHead } from '../../ui/panel-head.tsx';
import text from '../../ui/text.module.css';
import { ImportList } from '../import/import-list.tsx';
import { ProblemLine, ProblemNotice } from '../shell/problem-notice.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import { Worded } from '../step-panel/worded.tsx';
import styles from './find-screen.module.css';
import { folderRemarks } from './folder-remarks.ts';
import { TypedFolder } from './typed-folder.tsx';

/** What installed agents keep on this machine, and the folders that are followed. */
export function FindScreen() {
  useTitle('Find recordings');
  const found = useFound();
  const followed = useFollowed();
  const imports = useImports();
  const folders = followed.data?.folders ?? [];
  return (
    <div className={page.screen}>
      <PanelHead
        level={1}
        title="Find recordings"
        note="of agents that are installed on this machine; nothing is imported until you say so"
      >
        <Button small unavailable={found.isFetching} onClick={() => void found.refetch()}>
          {found.data === undefined ? 'Look' : 'Look again'}
        </Button>
      </PanelHead>
      <ImportList imports={imports.data ?? []} />
      <div className={page.body}>
        {found.isError ? (
          <ProblemNotice
            title="The folders can’t be listed"
            error={found.error}
            onRetry={() => void found.refetch()}
          />
        ) : found.data === undefined ? (
          <Notice title="Find recordings" note={found.isFetching ? 'looking' : 'not looked yet'}>
            <span>
              Look lists the folders in which known agents keep their sessions, with the number and
              size of the files. No file is opened.
            </span>
          </Notice>
        ) : (
          <FoundFolders folders={found.data} followed={folders} />
        )}
      </div>
      <PanelHead title="A folder of your choice" note="names and sizes first; nothing is opened" />
      <div className={page.body}>
        <TypedFolder followed={folders} />
      </div>
      <PanelHead title="Followed folders" note={folders.length === 0 ? 'none' : undefined} />
      <div className={page.body}>
        {followed.isError ? <ProblemLine error={followed.error} /> : null}
        {folders.length === 0 ? (
          <span className={text.secondary}>
            A followed folder’s new and grown files are imported while Misstep runs, also after it
            was started anew. From a terminal:{' '}
            <code className={text.mono}>misstep watch FOLDER</code>
          </span>
        ) : (
          <ul className={styles.list}>
            {folders.map((folder) => (
              <Followed key={folder.id} folder={folder} />
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

const DAY_MS = 86_400_000;
const SPANS = [
  { label: 'all', days: null },
  { label: 'of the last day', days: 1 },
  { label: 'of the last 7 days', days: 7 },
  { label: 'of the last 30 days', days: 30 },
] as const;

function FoundFolders(props: {
  folders: readonly FoundFolder[];
  followed: readonly FollowedFolderState[];
}) {
  const { folders } = props;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [span, setSpan] = useState(0);
  const start = useImportFound();
  if (folders.length === 0) {
    return (
      <Notice title="Nothing found" note="none of the known agents keeps anything here">
        <span>
          Drop the file on the list of runs instead. <Link to="/formats">Formats</Link> says where
          each client keeps its recordings, or how to get one.
        </span>
      </Notice>
    );
  }
  const readable = folders.filter(({ format, fileCount }) => format !== null && fileCount > 0);
  const chosen = readable.filter(({ id }) => !left.has(id));
  const toggle = (id: string) => {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    setLeft(next);
  };
  const days = SPANS[span]?.days ?? null;
  const fileCount = chosen.reduce((sum, folder) => sum + folder.fileCount, 0);
  return (
    <>
      <table className={classNames(page.table, styles.table)}>
        <thead>
          <tr>
            <th scope="col">Import</th>
            <th scope="col">Client</th>
            <th scope="col" className={page.number}>
              Files
            </th>
            <th scope="col" className={page.number}>
              Size
            </th>
            <th scope="col">Newest</th>
            <th scope="col">Folder</th>
            <th scope="col">
              <span className={text.hidden}>Follow</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {folders.map((folder) => (
            <FoundRow
              key={folder.id}
              folder={folder}
              isReadable={readable.includes(folder)}
              isChosen={chosen.includes(folder)}
              isFollowed={props.followed.some(({ foundId }) => foundId === folder.id)}
              onToggle={() => toggle(folder.id)}
            />
          ))}
        </tbody>
      </table>
      <div className={page.answers}>
        <Button
          unavailable={chosen.length === 0 || start.isPending}
          onClick={() =>
            start.mutate({
              ids: chosen.map(({ id }) => id),
              since: days === null ? null : new Date(Date.now() - days * DAY_MS).toISOString(),
            })
          }
        >
          {days === null
            ? `Import ${countOf(fileCount, 'file')}`
            : `Import those ${SPANS[span]?.label}`}
        </Button>
        <label className={page.answers}>
          changed
          <select
            className={styles.select}
            value={span}
            onChange={(event) => setSpan(Number(event.currentTarget.value))}
          >
            {SPANS.map(({ label }, index) => (
              <option key={label} value={index}>
                {label === 'all' ? 'at any time' : label.replace('of ', 'within ')}
              </option>
            ))}
          </select>
        </label>
      </div>
      {start.isError ? <ProblemLine error={start.error} /> : null}
    </>
  );
}

function FoundRow(props: {
  folder: FoundFolder;
  isReadable: boolean;
  isChosen: boolean;
  isFollowed: boolean;
  onToggle: () => void;
}) {
  const { folder } = props;
  const follow = useFollow();
  const remarks = [
    folder.note,
    ...folderRemarks(folder),
    follow.isError ? 'It could not be followed.' : null,
  ].filter((remark) => remark !== null);
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          aria-label={`Import ${folder.client}`}
          checked={props.isChosen}
          disabled={!props.isReadable}
          onChange={props.onToggle}
        />
      </td>
      <td>
        <span className={text.medium}>{folder.client}</span>{' '}
        <span className={text.secondary}>{folder.holds}</span>
      </td>
      <td className={page.number}>{formatCount(folder.fileCount)}</td>
      <td className={page.number}>{formatBytes(folder.sizeBytes)}</td>
      <td className={page.still}>{formatMoment(folder.newestAt)}</td>
      <td>
        <span className={text.monoSmall} title={`Known from ${folder.source}`}>
          {visibleLine(folder.folder)}
        </span>
        {remarks.length === 0 ? null : (
          <span className={styles.remark}>{` ${remarks.join('; ')}`}</span>
        )}
      </td>
      <td>
        {folder.format === null ? null : props.isFollowed ? (
          <span className={text.secondary}>followed</span>
        ) : (
          <Button
            small
            unavailable={follow.isPending}
            aria-label={`Follow the folder of ${folder.client}`}
            title="Import new and grown files while Misstep runs"
            onClick={() => follow.mutate(folder.id)}
          >
            Follow this folder
          </Button>
        )}
      </td>
    </tr>
  );
}

function Followed(props: { folder: FollowedFolderState }) {
  const { folder } = props;
  const unfollow = useUnfollow();
  const counts = [
    countOf(folder.newCount, 'new file'),
    `${formatCount(folder.grownCount)} grown`,
    ...(folder.replacedCount > 0 ? [`${formatCount(folder.replacedCount)} cut or replaced`] : []),
    ...(folder.failedCount > 0 ? [`${formatCount(folder.failedCount)} not read`] : []),
  ];
  const [runId] = folder.lastRunIds;
  return (
    <li className={styles.followed}>
      <span className={text.medium}>{folder.client ?? 'Folder'}</span>
      <span className={text.monoSmall}>{visibleLine(folder.path)}</span>
      <span className={text.secondary}>
        {folder.state === 'absent'
          ? 'not there now; it is looked for again'
          : `${countOf(folder.fileCount, 'file')}; since the start ${counts.join(', ')}`}
        {folder.lastReadAt === null ? '' : `; last read ${formatMoment(folder.lastReadAt)}`}
      </span>
      {folder.lastRemark === null ? null : (
        <span className={styles.remark}>
          <Worded text={folder.lastRemark} />
        </span>
      )}
      <span className={page.answers}>
        {runId === undefined ? null : (
          <Link to="/runs/$runId" params={{ runId }} search={{}}>
            Open the latest
          </Link>
        )}
        <Button
          small
          unavailable={unfollow.isPending}
          aria-label={`Stop following ${folder.path}`}
          onClick={() => unfollow.mutate(folder.id)}
        >
          Stop
        </Button>
      </span>
    </li>
  );
}
