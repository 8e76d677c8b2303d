import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useFormats } from '../../api/imports.ts';
import { problemOf } from '../../api/problem.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import text from '../../ui/text.module.css';
import { Worded, wordedLine } from '../step-panel/worded.tsx';
import { collectChosen, collectDropped } from './collect-files.ts';
import styles from './drop-strip.module.css';
import { forgetImportProblem, useImporter, useImportProblem } from './use-import-files.ts';
import { useWindowDrop } from './use-window-drop.ts';

/** The 40 px strip at the top of the run list. The whole window takes a drop or a paste. */
export function DropStrip() {
  const importer = useImporter();
  const formats = useFormats();
  const picker = useRef<HTMLInputElement>(null);
  const folderPicker = useRef<HTMLInputElement>(null);
  const hovering = useWindowDrop({
    onDrop: (transfer) => importer.importFiles(collectDropped(transfer)),
    onPaste: (clipboard) => {
      if (clipboard.files.length > 0) importer.importFiles(collectChosen(clipboard.files));
      else if (clipboard.getData('text/plain').trim() !== '') {
        importer.importText(clipboard.getData('text/plain'));
      }
    },
  });
  const error = useImportProblem((state) => state.error);
  const problem = error === null ? null : problemOf(error);
  const names = formats.data?.map((format) => format.title) ?? [];
  const promise = formats.isFetched ? `${someOf(names)}Read on this machine only. ` : '';
  return (
    <section
      className={classNames(styles.strip, hovering && styles.hovering)}
      aria-label="Add a recording"
    >
      <Icon name="plus" />
      <span className={text.medium}>Drop a transcript or capture</span>
      <span className={styles.paste}>
        or paste with <Kbd>Ctrl V</Kbd>
      </span>
      <Button small onClick={() => picker.current?.click()}>
        Choose file
      </Button>
      <Button small onClick={() => folderPicker.current?.click()}>
        Choose folder
      </Button>
      <Link to="/find" className={buttonClass({ small: true })}>
        Find on this machine
      </Link>
      <Link to="/receiver" className={buttonClass({ small: true })}>
        Receive spans
      </Link>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        data-testid="import-files"
        aria-label="Files to import"
        onChange={(event) => {
          const list = event.currentTarget.files;
          if (list !== null && list.length > 0) importer.importFiles(collectChosen(list));
          // The same file may be chosen again.
          event.currentTarget.value = '';
        }}
      />
      <input
        ref={folderPicker}
        type="file"
        // A dialog of the system, which its keys work in, too.
        {...{ webkitdirectory: '' }}
        hidden
        data-testid="import-folder"
        aria-label="Folder to import"
        onChange={(event) => {
          const list = event.currentTarget.files;
          if (list !== null) importer.importFiles(collectChosen(list));
          event.currentTarget.value = '';
        }}
      />
      {problem === null ? (
        <span className={styles.promise} title={names.join(', ')}>
          <span className={text.ellipsis}>{promise}</span>
          <Link to="/formats" search={{}}>
            All formats
          </Link>
        </span>
      ) : (
        <span
          className={styles.problem}
          role="alert"
          title={wordedLine(`${problem.message} ${problem.hint}`)}
        >
          <Icon name="cross" small />
          <span className={text.ellipsis}>
            Not imported: <Worded text={`${problem.message} ${problem.hint}`} />
          </span>
          <Button small kind="quiet" onClick={forgetImportProblem}>
            Dismiss
          </Button>
        </span>
      )}
    </section>
  );
}

const NAMED = 2;

/** The first few, and how many more there are: the strip has one line. */
function someOf(names: readonly string[]): string {
  if (names.length === 0) return '';
  const more = names.length - NAMED;
  return `${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more formats` : ''}. `;
}
