import type { RunSummary } from '@misstep/contract';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { ListWidth, RunColumn } from './run-columns.tsx';
import type { RowEditKind } from './run-row-editor.tsx';
import styles from './run-table.module.css';

/** One run of the list. A click moves the cursor, the title or a double click opens. */
export function RunRow(props: {
  run: RunSummary;
  id: string;
  index: number;
  top: number;
  current: boolean;
  selected: boolean;
  width: ListWidth;
  columns: readonly RunColumn[];
  template: string;
  onCursor: () => void;
  onToggleSelected: () => void;
  onOpen: () => void;
  onEdit: (kind: RowEditKind) => void;
}) {
  const { run } = props;
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
      onClick={props.onCursor}
      onDoubleClick={props.onOpen}
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
            { id: 'open', label: 'Open', onSelect: props.onOpen },
            { id: 'rename', label: 'Rename', onSelect: () => props.onEdit('title') },
            { id: 'tags', label: 'Tags', onSelect: () => props.onEdit('tags') },
            { id: 'outcome', label: 'Outcome', onSelect: () => props.onEdit('outcome') },
            {
              id: 'select',
              label: props.selected ? 'Take out of the selection' : 'Select',
              onSelect: props.onToggleSelected,
            },
            { id: 'delete', label: 'Delete…', onSelect: () => props.onEdit('delete') },
          ]}
        />
      </span>
    </div>
  );
}
