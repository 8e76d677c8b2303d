import { usePreferences } from '../../state/preferences.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { RUN_COLUMNS } from './run-columns.tsx';

/** Filters that this browser keeps. */
export function SavedFiltersMenu(props: { query: string; onQuery: (query: string) => void }) {
  const { savedFilters, set } = usePreferences();
  const query = props.query.trim();
  const isSaved = savedFilters.includes(query);
  const items: MenuItem[] = savedFilters.map((saved) => ({
    id: `use ${saved}`,
    label: saved,
    onSelect: () => props.onQuery(`${saved} `),
  }));
  if (isSaved) {
    items.push({
      id: 'forget',
      label: `Forget “${query}”`,
      onSelect: () => set({ savedFilters: savedFilters.filter((saved) => saved !== query) }),
    });
  } else {
    items.push({
      id: 'save',
      label: query === '' ? 'Save this filter' : `Save “${query}”`,
      ...(query === '' ? { unavailable: 'Type a filter first' } : {}),
      onSelect: () => set({ savedFilters: [...savedFilters, query] }),
    });
  }
  return (
    <Menu
      label="Saved filters"
      trigger={
        <Button>
          Saved filters
          <Icon name="down" small />
        </Button>
      }
      items={items}
    />
  );
}

/** Which columns of the list are shown. */
export function ColumnsMenu() {
  const { hiddenRunColumns, set } = usePreferences();
  return (
    <Menu
      label="Columns"
      trigger={<Button>Columns</Button>}
      items={RUN_COLUMNS.filter((column) => !column.fixed).map((column) => {
        const hidden = hiddenRunColumns.includes(column.key);
        return {
          id: column.key,
          label: column.longTitle ?? column.title,
          checked: !hidden,
          onSelect: () =>
            set({
              hiddenRunColumns: hidden
                ? hiddenRunColumns.filter((key) => key !== column.key)
                : [...hiddenRunColumns, column.key],
            }),
        };
      })}
    />
  );
}

/** What can be done with the runs chosen by X. */
export function SelectionMenu(props: {
  count: number;
  onDelete: () => void;
  onSelectShown: () => void;
  onClear: () => void;
}) {
  const none = props.count === 0 ? { unavailable: 'Select runs with X first' } : {};
  return (
    <Menu
      label="Selection"
      trigger={
        <Button>
          Selection
          <Icon name="down" small />
        </Button>
      }
      items={[
        { id: 'all', label: 'Select every run shown', onSelect: props.onSelectShown },
        { id: 'clear', label: 'Clear the selection', ...none, onSelect: props.onClear },
        {
          id: 'delete',
          label: props.count === 0 ? 'Delete selected…' : `Delete ${props.count} selected…`,
          ...none,
          onSelect: props.onDelete,
        },
      ]}
    />
  );
}
