import type { RunSummary } from '@misstep/contract';
import { memo } from 'react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { ListWidth, RunColumn } from './run-columns.tsx';
import type { RowEditKind } from './run-row-editor.tsx';
import styles from './run-table.module.css';

/** What a row can ask for; one object for all rows and renders. */
export interface RunRowActions {
  readonly cursor: (index: number) => void;
  readonly toggleSelected: (runId: string) => void;
  readonly open: (runId: string) => void;
  readonly edit: (runId: string, kind: RowEditKind) => void;
}

interface RunRowProps {
  run: RunSummary;
  id: string;
  index: number;
  top: number;
  current: boolean;
  selected: boolean;
  width: ListWidth;
  columns: readonly RunColumn[];
  template: string;
  actions: RunRowActions;
}

/**
 * One run of the list. A click moves the cursor, the title or a double click opens. Drawn again
 * only when something of its own changed: the list is typed over and walked through.
 */
export const RunRow = memo(function RunRow(props: RunRowProps) {
  const { run, actions } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    // biome-ignore lint/a11y/useFocusableInteractive: the grid is the tab stop and names the row.
    // biome-ignore lint/a11y/useKeyWithClickEvents: J, K and Enter do the same by key.
    <div
      role="row"
      id={props.id}
      aria-rowindex={props.index + 2}
      aria-selected={props.selected}
      {...(props.current ? { 'aria-current': true } : {})}
      className={classNames(
        styles.tracks,
        styles.row,
        props.current && styles.current,
        props.selected && styles.selected,
      )}
      style={{ gridTemplateColumns: props.template, top: props.top }}
      onClick={() => actions.cursor(props.index)}
      onDoubleClick={() => actions.open(run.id)}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: see the grid. */}
      <span role="gridcell" className={styles.position}>
        {props.selected ? <Icon name="check" small /> : props.index + 1}
      </span>
      {props.columns.map((column) => (
        // biome-ignore lint/a11y/useSemanticElements: see the grid.
        // biome-ignore lint/a11y/useFocusableInteractive: see the grid.
        <span
          key={column.key}
          role="gridcell"
          className={column.number ? styles.number : undefined}
        >
          {column.cell(run, props.width)}
        </span>
      ))}
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: see the grid. */}
      <span role="gridcell">
        <Menu
          label={`Actions for ${run.title}`}
          trigger={
            <Button
              small
              square
              kind="quiet"
              className={styles.actions}
              aria-label={`Actions for ${run.title}`}
              tabIndex={props.current ? 0 : -1}
              onDoubleClick={(event) => event.stopPropagation()}
            >
              <Icon name="more" />
            </Button>
          }
          items={[
            { id: 'open', label: 'Open', onSelect: () => actions.open(run.id) },
            { id: 'rename', label: 'Rename', onSelect: () => actions.edit(run.id, 'title') },
            { id: 'tags', label: 'Tags', onSelect: () => actions.edit(run.id, 'tags') },
            { id: 'outcome', label: 'Outcome', onSelect: () => actions.edit(run.id, 'outcome') },
            {
              id: 'select',
              label: props.selected ? 'Take out of the selection' : 'Select',
              onSelect: () => actions.toggleSelected(run.id),
            },
            { id: 'delete', label: 'Delete…', onSelect: () => actions.edit(run.id, 'delete') },
          ]}
        />
      </span>
    </div>
  );
});
