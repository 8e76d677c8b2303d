import { type KeyboardEvent, useId, useState } from 'react';
import { useOfferedFolders } from '../../api/find.ts';
import { TextInput } from '../../ui/field.tsx';
import { countOf } from '../../ui/format-count.ts';
import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './folder-field.module.css';

/** A path that is typed, or chosen with the arrow keys folder by folder; Esc closes the offers. */
export function FolderField(props: { value: string; onChange: (path: string) => void }) {
  const { value, onChange } = props;
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const listId = useId();
  const offered = useOfferedFolders(value, open);
  const folders = open ? (offered.data?.folders ?? []) : [];
  const omitted = offered.data?.omitted ?? 0;
  const isShown = folders.length > 0;
  const chosen = folders[at];
  const take = (folder: string) => {
    onChange(`${folder}${folder.includes('\\') ? '\\' : '/'}`);
    setAt(-1);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      if (folders.length === 0) return;
      const step = event.key === 'ArrowDown' ? 1 : -1;
      const next = at < 0 && step < 0 ? folders.length - 1 : at + step;
      const index = (next + folders.length) % folders.length;
      setAt(index);
      document.getElementById(`${listId}-${index}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter' && chosen !== undefined) {
      // The first Enter takes what is chosen, the next one looks at it.
      event.preventDefault();
      take(chosen);
    } else if (event.key === 'Enter') setOpen(false);
    else if (event.key === 'Escape' && isShown) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
      setAt(-1);
    }
  };
  return (
    <div className={styles.field}>
      <TextInput
        mono
        role="combobox"
        aria-label="Path of the folder"
        aria-expanded={isShown}
        aria-controls={listId}
        aria-autocomplete="list"
        {...(chosen === undefined ? {} : { 'aria-activedescendant': `${listId}-${at}` })}
        placeholder="a whole path, or ~/ for your home folder"
        value={value}
        onChange={(event) => {
          onChange(event.currentTarget.value);
          setOpen(true);
          setAt(-1);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => {
          setOpen(false);
          setAt(-1);
        }}
        onKeyDown={onKeyDown}
      />
      <div className={styles.popup} hidden={!isShown}>
        <div role="listbox" id={listId} aria-label="Folders" className={styles.list}>
          {folders.map((folder, index) => (
            <div
              key={folder}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              className={styles.option}
              title={visibleLine(folder)}
              // Focus stays in the field: a press must not blur it before the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(folder)}
              onKeyDown={undefined}
            >
              {visibleLine(folder)}
            </div>
          ))}
        </div>
        {omitted > 0 ? (
          <p className={styles.more}>{`${countOf(omitted, 'folder')} more: type on`}</p>
        ) : null}
      </div>
    </div>
  );
}
