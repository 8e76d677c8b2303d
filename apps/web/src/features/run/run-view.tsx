import type { RunDetail } from '@misstep/contract';
import type { Citation, StepId } from '@misstep/model';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStatus } from '../../api/status.ts';
import { takesFocusBack } from '../../state/return-focus.ts';
import { RUN_TABS, type RunTab } from '../../state/run-search.ts';
import { Segment } from '../../ui/segment.tsx';
import treeStyles from '../call-tree/call-tree.module.css';
import { CallTree, type RowsInView, type TreeHandle } from '../call-tree/call-tree.tsx';
import type { TreeCommand } from '../call-tree/tree-movement.ts';
import { applyTreeCommand } from '../call-tree/tree-movement.ts';
import { TreeToolbar } from '../call-tree/tree-toolbar.tsx';
import { useTreeRows } from '../call-tree/use-tree-rows.ts';
import {
  citationAskedFor,
  type MarkForm,
  openMarkForm,
  sameCitation,
  toggleCitation,
} from '../mark/mark-draft.ts';
import { spotOf } from '../mark/mark-place.ts';
import { useSetMark } from '../mark/use-mark.ts';
import { Overview } from '../overview/overview.tsx';
import { StepPanel } from '../step-panel/step-panel.tsx';
import { externalMarkTexts } from './external-marks.ts';
import { ExternalMarksList } from './external-marks-list.tsx';
import { RecordingAuditList } from './recording-audit-list.tsx';
import type { RunAside } from './run-aside.ts';
import { RunNotes } from './run-notes.tsx';
import styles from './run-screen.module.css';
import { RunStatus } from './run-status.tsx';
import { UnusedRecords } from './unused-records.tsx';
import { useFind } from './use-find.ts';
import { useRunKeys } from './use-run-keys.ts';
import type { RunModel } from './use-run-model.ts';
import { useRunSelection } from './use-run-selection.ts';

/** What is said where a key has nowhere to go: silence would look like a fault. */
const MISSED: Partial<Record<TreeCommand, string>> = {
  nextError: 'no further error in the steps shown',
  previousError: 'no earlier error in the steps shown',
  nextSameTool: 'no later call of this tool in the steps shown',
  previousSameTool: 'no earlier call of this tool in the steps shown',
};

/** One selection, many views: overview, tree and panel move together. */
export function RunView(props: {
  run: RunDetail;
  model: RunModel;
  aside: RunAside;
  onAside: (aside: RunAside) => void;
}) {
  const { run, model, aside, onAside } = props;
  const { selected, select, search, flush, write } = useRunSelection(model);
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const [inView, setInView] = useState<RowsInView>({ first: 0, last: 25 });
  const inViewNow = useRef(inView);
  const [form, setForm] = useState<MarkForm | null>(null);
  const [pane, setPane] = useState<'tree' | 'panel'>('tree');
  const tree = useRef<TreeHandle | null>(null);
  const find = useFind(search.filter ?? '', (filter) => write({ filter }, 'settle'));
  // Where only one pane fits, what was asked for is the one to see.
  const paneShown = aside === null ? pane : 'panel';
  const view = search.view ?? 'tree';
  const rows = useTreeRows(model, view, folded, find.reading);
  const author = useStatus().data?.author ?? 'you';
  const setMark = useSetMark(run.id, author, model.indexOf);
  const mark = useMemo(
    () => (run.mark === null ? null : spotOf(run.mark, model.indexOf)),
    [run.mark, model],
  );
  const externals = useMemo(
    () => externalMarkTexts(run.externalMarks, model.indexOf),
    [run.externalMarks, model],
  );
  const initialTop = useRef(search.top ?? null);
  const navigate = useNavigate();

  const choose = useCallback(
    (index: number) => {
      select(index);
      setForm(null);
      const row = rows.visible.rowOfStep[index] ?? -1;
      // Asking the page where it is scrolled to costs a layout: only where the row may be outside.
      const { first, last } = inViewNow.current;
      if (row >= 0 && (row <= first || row >= last)) tree.current?.scrollToRow(row, 'auto');
    },
    [select, rows],
  );
  const toggleFold = useCallback((index: number) => {
    setFolded((before) => {
      const after = new Set(before);
      if (!after.delete(index)) after.add(index);
      return after;
    });
  }, []);
  const [missed, setMissed] = useState<string | null>(null);
  const onCommand = useCallback(
    (command: TreeCommand) => {
      const effect = applyTreeCommand(command, {
        skeleton: model.skeleton,
        shape: model.shape,
        visible: rows.visible,
        view,
        folded,
        filtered: rows.filtered,
        selected,
        pageRows: tree.current?.pageRows() ?? 20,
      });
      setMissed(effect.kind === 'none' ? (MISSED[command] ?? null) : null);
      if (effect.kind === 'select') choose(effect.index);
      else if (effect.kind !== 'none') toggleFold(effect.index);
    },
    [model, rows, view, folded, selected, choose, toggleFold],
  );
  const onRowsInView = useCallback(
    (next: RowsInView) => {
      inViewNow.current = next;
      setInView((before) =>
        before.first === next.first && before.last === next.last ? before : next,
      );
      write({ top: next.first === 0 ? undefined : next.first }, 'settle');
    },
    [write],
  );
  const tab = search.tab ?? 'call';
  const setTab = (next: RunTab) => write({ tab: next === 'call' ? undefined : next });
  const stepId = selected === null ? null : (model.skeleton.ids[selected] ?? null);
  const previousStepId = selected === null ? null : (model.skeleton.ids[selected - 1] ?? null);
  const openForm = () => {
    if (stepId === null) return;
    setMark.reset();
    setForm((open) => open ?? openMarkForm(stepId, previousStepId, run.mark));
    setPane('panel');
  };
  const isReady = stepId !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the tree is there.
  useEffect(() => {
    if (takesFocusBack(stepId)) tree.current?.focusSelected();
  }, [isReady]);
  // Asked for by a link from a replay: the form opens once, and nothing is marked by opening it.
  const { cite: cited, citeReplay, verdict } = search;
  useEffect(() => {
    if ((cited === undefined && verdict === undefined) || stepId === null) return;
    const opened = openMarkForm(stepId, previousStepId, run.mark);
    // The id comes from the skeleton, which the contract has checked.
    const id = stepId as StepId;
    const citation = citationAskedFor(id, cited ?? '', citeReplay, verdict);
    const isKnown = opened.citations.some((each) => sameCitation(each, citation));
    setForm(isKnown ? opened : toggleCitation(opened, citation));
    setPane('panel');
    write({ cite: undefined, citeReplay: undefined, verdict: undefined });
  }, [cited, citeReplay, verdict, stepId, previousStepId, run.mark, write]);
  const changeForm = (next: MarkForm | null) => {
    setForm(next);
    // The form goes with the focus that was in it.
    if (next === null) tree.current?.focusSelected();
  };
  const isCall =
    stepId !== null && selected !== null && (model.skeleton.tools[selected] ?? null) !== null;
  const openReplay = () => {
    if (!isCall || stepId === null) return;
    flush();
    void navigate({ to: '/runs/$runId/replay/$stepId', params: { runId: run.id, stepId } });
  };

  useRunKeys({
    onCommand,
    onFind: find.focus,
    onView: () => write({ view: view === 'tree' ? 'order' : undefined }),
    onMark: openForm,
    onReplay: openReplay,
    onTab: (number) => {
      const next = RUN_TABS[number - 1];
      if (next !== undefined) setTab(next);
    },
    onEscape: () => {
      if (aside !== null) onAside(null);
      else if (form !== null) changeForm(null);
      else if (find.text !== '') find.setText('');
      else return false;
      return undefined;
    },
    canReplay: isCall,
  });

  return (
    <>
      <Overview
        model={model}
        visible={rows.visible}
        inView={inView}
        selected={selected}
        mark={mark}
        externals={externals}
        onSelect={choose}
        onScrollToRow={(row) => tree.current?.scrollToRow(row, 'start')}
      />
      <div className={styles.panes}>
        <Segment
          label="Panel shown"
          small
          options={[
            { value: 'tree', label: 'Tree' },
            { value: 'panel', label: 'Step' },
          ]}
          value={paneShown}
          onChange={(next) => {
            setPane(next);
            if (next === 'tree') onAside(null);
          }}
        />
      </div>
      <div className={styles.split} data-pane={paneShown}>
        <section className={treeStyles.tree} aria-label="Steps">
          <TreeToolbar
            view={view}
            onView={(next) => write({ view: next === 'tree' ? undefined : next })}
            query={find.text}
            onQuery={find.setText}
            problem={find.problem}
            count={find.countFor(rows.matches, selected)}
            onFindNext={(direction) => {
              const next = find.nextMatch(rows, selected, direction);
              if (next !== null) choose(next);
            }}
            onLeaveFind={() => tree.current?.focusSelected()}
            findRef={find.ref}
            hasMark={mark !== null && mark.kind !== 'noDeviation'}
          />
          <CallTree
            model={model}
            rows={rows}
            view={view}
            folded={folded}
            selected={selected}
            mark={mark}
            externals={externals}
            initialTop={initialTop.current}
            onSelect={choose}
            onToggleFold={toggleFold}
            onCommand={onCommand}
            onRowsInView={onRowsInView}
            handle={tree}
          />
        </section>
        {aside === 'records' ? (
          <UnusedRecords run={run} onClose={() => onAside(null)} />
        ) : aside === 'notes' ? (
          <RunNotes run={run} onClose={() => onAside(null)} />
        ) : aside === 'externalMarks' ? (
          <ExternalMarksList run={run} onClose={() => onAside(null)} />
        ) : aside === 'audit' ? (
          <RecordingAuditList runId={run.id} onClose={() => onAside(null)} />
        ) : selected === null || stepId === null ? (
          <aside className={styles.waiting} aria-label="Step" />
        ) : (
          <StepPanel
            run={run}
            model={model}
            index={selected}
            tab={tab}
            onTab={setTab}
            replayId={search.replay ?? null}
            mark={mark}
            author={author}
            form={form?.stepId === stepId ? form : null}
            onForm={changeForm}
            onOpenForm={openForm}
            onCite={(citation: Citation) =>
              setForm((open) => (open === null ? open : toggleCitation(open, citation)))
            }
            setMark={setMark}
            onSelect={choose}
            onReplay={isCall ? openReplay : null}
          />
        )}
      </div>
      <RunStatus
        run={run}
        model={model}
        visible={rows.visible}
        selected={selected}
        inView={inView}
        missed={missed}
        onShowRecords={() => onAside(aside === 'records' ? null : 'records')}
      />
    </>
  );
}
