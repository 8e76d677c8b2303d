import { type RunDetail, routes, routeUrl } from '@misstep/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useDeleteRun } from '../../api/runs.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { countOf, formatBytes } from '../../ui/format-count.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { ProblemLine } from '../shell/problem-notice.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './run-header.module.css';
import { WireChoice } from './wire-choice.tsx';

/** Export of the sources byte for byte, the wire beside the run, and deletion, which says what goes. */
export function RunActions(props: { run: RunDetail }) {
  const { run } = props;
  const navigate = useNavigate();
  const [open, setOpen] = useState<'delete' | 'wire' | null>(null);
  const only = run.sources.length === 1 ? run.sources[0] : undefined;
  return (
    <div className={styles.actions}>
      {only !== undefined ? (
        <a
          className={buttonClass()}
          href={sourceUrl(only.sha256)}
          download={only.name}
          title={`The source byte for byte, ${formatBytes(only.sizeBytes)}`}
        >
          Export
        </a>
      ) : run.sources.length > 1 ? (
        <Menu
          label="Export a source"
          trigger={<Button>Export</Button>}
          items={run.sources.map((source) => ({
            id: source.sha256,
            label: `${visibleLine(source.name)}, ${formatBytes(source.sizeBytes)}`,
            onSelect: () => download(source.sha256, source.name),
          }))}
        />
      ) : null}
      <Menu
        label="More for this run"
        trigger={
          <Button square aria-label="More for this run">
            <Icon name="more" />
          </Button>
        }
        items={[
          {
            id: 'link',
            label: 'Copy link',
            onSelect: () => void navigator.clipboard.writeText(window.location.href),
          },
          ...run.sources.slice(0, 1).map(({ sha256 }) => ({
            id: 'formats',
            label: 'Why this format?',
            onSelect: () => void navigate({ to: '/formats', search: { source: sha256 } }),
          })),
          { id: 'wire', label: 'Recorded wire…', onSelect: () => setOpen('wire') },
          { id: 'delete', label: 'Delete run', onSelect: () => setOpen('delete') },
        ]}
      />
      {open === 'wire' ? <WireChoice run={run} onClose={() => setOpen(null)} /> : null}
      {open === 'delete' ? <DeleteQuestion run={run} onClose={() => setOpen(null)} /> : null}
    </div>
  );
}

function DeleteQuestion(props: { run: RunDetail; onClose: () => void }) {
  const { run, onClose } = props;
  const remove = useDeleteRun();
  const navigate = useNavigate();
  return (
    <div
      className={`${styles.editor} ${styles.atRight}`}
      role="group"
      aria-label="Delete this run?"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <span className={styles.question}>Delete this run? It can't be brought back.</span>
      <ul className={styles.goes}>
        <li>{`${countOf(run.stepCount, 'step')} with every mark ever made on it`}</li>
        {run.replayCount > 0 ? (
          <li>{`${countOf(run.replayCount, 'replay')} with their frames`}</li>
        ) : null}
        {run.sources.map((source) => (
          <li key={source.sha256}>
            {`${visibleLine(source.name)}, ${formatBytes(source.sizeBytes)}, unless another run needs it`}
          </li>
        ))}
      </ul>
      <div className={styles.editorButtons}>
        <Button
          kind="primary"
          unavailable={remove.isPending}
          onClick={() => remove.mutate(run.id, { onSuccess: () => void navigate({ to: '/runs' }) })}
        >
          Delete run
        </Button>
        <Button onClick={onClose} ref={(element) => element?.focus()}>
          Keep it
        </Button>
      </div>
      {remove.error === null ? null : <ProblemLine error={remove.error} />}
    </div>
  );
}

function sourceUrl(sha256: string): string {
  return routeUrl(routes.exportSource, { params: { sha256 } });
}

function download(sha256: string, name: string): void {
  const link = document.createElement('a');
  link.href = sourceUrl(sha256);
  link.download = name;
  link.click();
}
