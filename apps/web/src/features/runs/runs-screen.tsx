import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { isRunning, useImports } from '../../api/imports.ts';
import { useRuns } from '../../api/runs.ts';
import { usePreferences } from '../../state/preferences.ts';
import { useKeys } from '../../state/use-keys.ts';
import { useTitle } from '../../state/use-title.ts';
import { useMedia } from '../../ui/use-media.ts';
import { DropStrip } from '../import/drop-strip.tsx';
import { ImportList } from '../import/import-list.tsx';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { DeleteSelection } from './delete-selection.tsx';
import { NoResults, NoRuns } from './empty-lists.tsx';
import { FilterBar } from './filter-bar.tsx';
import type { FilterInputHandle } from './filter-input.tsx';
import { ColumnsMenu, SavedFiltersMenu, SelectionMenu } from './list-menus.tsx';
import type { RowEdit } from './run-row-editor.tsx';
import { nextRunSort, readRunSort, sortRuns, writeRunSort } from './run-sort.ts';
import { RunTable, type RunTableHandle } from './run-table.tsx';
import styles from './runs-screen.module.css';
import { RunsStatus } from './runs-status.tsx';
import { useRunCursor } from './use-run-cursor.ts';
import { useRunFilter } from './use-run-filter.ts';

const route = getRouteApi('/runs');

/** Import, filter, and the list of every run. */
export function RunsScreen() {
  useTitle('Runs');
  const search = route.useSearch();
  const goRuns = route.useNavigate();
  const navigate = useNavigate();
  const runsQuery = useRuns();
  const imports = useImports();
  const hiddenColumns = usePreferences((state) => state.hiddenRunColumns);
  const router = useRouter();
  const middle = useMedia('(max-width: 1279px)');
  const narrow = useMedia('(max-width: 1099px)');
  const small = useMedia('(max-width: 759px)');

  const runs = useMemo(() => runsQuery.data?.runs ?? [], [runsQuery.data]);
  const sort = readRunSort(search.sort);
  // Sorted first: typing in the filter then only leaves rows out.
  const sorted = useMemo(() => sortRuns(runs, readRunSort(search.sort)), [runs, search.sort]);
  // What settles late must not call a person back who is on the way to another screen.
  const isHere = () => router.latestLocation.pathname === '/runs';
  const filter = useRunFilter(sorted, search.q ?? '', (query) => {
    if (!isHere()) return;
    void goRuns({
      search: (before) => ({ ...before, q: query === '' ? undefined : query }),
      replace: true,
    });
  });
  const { shown } = filter;
  const cursor = useRunCursor(shown, search.at, (at) => {
    if (!isHere()) return;
    void goRuns({ search: (before) => ({ ...before, at }), replace: true });
  });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [edit, setEdit] = useState<RowEdit | null>(null);
  const [deleting, setDeleting] = useState(false);
  const filterInput = useRef<FilterInputHandle>(null);
  const table = useRef<RunTableHandle>(null);

  const open = (runId: string) =>
    void navigate({ to: '/runs/$runId', params: { runId }, search: {} });
  const toggle = (runId: string) =>
    setSelected((before) => {
      const next = new Set(before);
      if (!next.delete(runId)) next.add(runId);
      return next;
    });
  const openImport = (id: string | null) =>
    void goRuns({ search: (before) => ({ ...before, import: id ?? undefined }), replace: true });
  const selectedShown = shown.filter((run) => selected.has(run.id));
  const hasRows = shown.length > 0;
  useKeys({
    title: 'Runs',
    enabled: runsQuery.isFetched,
    hints: [
      ...(hasRows
        ? [
            { caps: ['J', 'K'], words: 'move' },
            { caps: ['Enter'], words: 'open' },
          ]
        : []),
      { caps: ['/'], words: 'filter' },
      ...(hasRows ? [{ caps: ['X'], words: 'select' }] : []),
      { caps: ['Ctrl V'], words: 'import what is copied', sheetOnly: true },
      {
        caps: ['Esc'],
        words: 'close the sources, clear the filter, the selection',
        sheetOnly: true,
      },
    ],
    handlers: {
      '/': () => filterInput.current?.focus(),
      j: () => cursor.moveBy(1),
      k: () => cursor.moveBy(-1),
      enter: () => (cursor.run === undefined || edit !== null ? false : open(cursor.run.id)),
      x: () => (cursor.run === undefined ? false : toggle(cursor.run.id)),
      escape: () => {
        if (search.import !== undefined) return openImport(null);
        return selected.size === 0 ? false : setSelected(new Set());
      },
    },
  });

  // Rows above the list must not come after it: nothing is drawn until both are known.
  if (!imports.isFetched || !runsQuery.isFetched) return <div className={styles.screen} />;
  return (
    <div className={styles.screen}>
      <h1 className={styles.heading}>Runs</h1>
      <DropStrip />
      <ImportList
        imports={imports.data ?? []}
        open={{ id: search.import ?? null, onOpen: openImport }}
      />
      <FilterBar
        handle={filterInput}
        filter={filter}
        runs={runs}
        onLeave={() => table.current?.focus()}
        question={
          deleting ? (
            <DeleteSelection
              runs={selectedShown}
              onClose={() => {
                setDeleting(false);
                table.current?.focus();
              }}
              onDeleted={() => setSelected(new Set())}
            />
          ) : null
        }
      >
        <SavedFiltersMenu query={filter.query} onQuery={filter.setQuery} />
        <ColumnsMenu />
        <SelectionMenu
          count={selectedShown.length}
          onDelete={() => setDeleting(true)}
          onSelectShown={() => setSelected(new Set(shown.map((run) => run.id)))}
          onClear={() => setSelected(new Set())}
        />
      </FilterBar>
      <div className={styles.list}>
        {runsQuery.data === undefined ? (
          <div className={styles.notice}>
            {runsQuery.error === null ? null : (
              <ProblemNotice
                title="The runs can’t be listed"
                error={runsQuery.error}
                onRetry={() => void runsQuery.refetch()}
              />
            )}
          </div>
        ) : runs.length === 0 ? (
          <NoRuns imports={imports.data ?? []} />
        ) : shown.length === 0 ? (
          <NoResults filter={filter} runs={runs} />
        ) : (
          <RunTable
            handle={table}
            runs={shown}
            width={small ? 'small' : narrow ? 'narrow' : middle ? 'middle' : 'wide'}
            hiddenColumns={hiddenColumns}
            sort={sort}
            onSort={(key) =>
              void goRuns({
                search: (before) => ({ ...before, sort: writeRunSort(nextRunSort(sort, key)) }),
                replace: true,
              })
            }
            cursor={cursor.index}
            onCursor={cursor.moveTo}
            selected={selected}
            onToggleSelected={toggle}
            onOpen={open}
            edit={edit}
            onEdit={setEdit}
          />
        )}
      </div>
      <RunsStatus
        running={imports.data?.filter(isRunning).length ?? 0}
        selected={selectedShown.length}
        total={runsQuery.data?.total ?? runs.length}
        listed={runs.length}
      />
    </div>
  );
}
