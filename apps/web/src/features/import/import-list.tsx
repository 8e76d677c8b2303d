import type { ImportState } from '@misstep/contract';
import { useId, useRef, useState } from 'react';
import { isRunning, sourceCount, useDismissImport } from '../../api/imports.ts';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/format-count.ts';
import text from '../../ui/text.module.css';
import styles from './import-list.module.css';
import { ImportRow } from './import-row.tsx';
import { ImportSources } from './import-sources.tsx';
import { fatesText, sumFates } from './import-words.ts';

/** The import whose sources are shown; null = none. */
export interface OpenImport {
  readonly id: string | null;
  readonly onOpen: (id: string | null) => void;
}

/** One row per import, in a list that scrolls by itself. Rows leave only when dismissed. */
export function ImportList(props: { imports: readonly ImportState[]; open?: OpenImport }) {
  const { imports } = props;
  const [ownId, setOwnId] = useState<string | null>(null);
  const { id, onOpen } = props.open ?? { id: ownId, onOpen: setOwnId };
  const [failedFirst, setFailedFirst] = useState(false);
  const panelId = useId();
  const list = useRef<HTMLUListElement>(null);
  if (imports.length === 0) return null;
  const open = imports.find((state) => state.id === id);
  const firstFailed = imports.find(({ summary }) => summary.fates.failed > 0);
  return (
    <section aria-label="Imports" className={styles.imports}>
      {imports.length > 1 ? (
        <ImportsHead
          imports={imports}
          onShowFailed={
            firstFailed === undefined
              ? null
              : () => {
                  setFailedFirst(true);
                  onOpen(firstFailed.id);
                }
          }
        />
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys. */}
      <ul ref={list} className={styles.list} tabIndex={0} aria-label="List of imports">
        {imports.map((state) => (
          <ImportRow
            key={state.id}
            state={state}
            isOpen={state === open}
            panelId={panelId}
            onToggle={() => {
              setFailedFirst(false);
              onOpen(state === open ? null : state.id);
            }}
          />
        ))}
      </ul>
      {open === undefined || sourceCount(open) === 0 ? null : (
        <ImportSources
          key={`${open.id} ${failedFirst}`}
          id={panelId}
          state={open}
          initialFate={failedFirst ? 'failed' : null}
          onClose={() => {
            onOpen(null);
            // What had focus goes with the panel: back to the button that opened it.
            list.current?.querySelector<HTMLElement>(`[data-sources="${open.id}"]`)?.focus();
          }}
        />
      )}
    </section>
  );
}

/** What all of them come to, and the way to what failed. */
function ImportsHead(props: {
  imports: readonly ImportState[];
  onShowFailed: (() => void) | null;
}) {
  const { imports } = props;
  const dismiss = useDismissImport();
  const ended = imports.filter((state) => !isRunning(state) && state.phase === null);
  const running = imports.length - ended.length;
  const words = [
    fatesText(sumFates(imports)),
    running > 0 ? `${countOf(running, 'import')} running` : '',
  ].filter((part) => part !== '');
  return (
    <div className={styles.head}>
      <span className={text.medium}>{countOf(imports.length, 'import')}</span>
      <span className={`${text.secondary} ${text.ellipsis}`} title={words.join(', ')}>
        {words.join(', ')}
      </span>
      <span className={styles.filler} />
      {props.onShowFailed === null ? null : (
        <Button small kind="quiet" onClick={props.onShowFailed}>
          Show what failed
        </Button>
      )}
      {ended.length === 0 ? null : (
        <Button
          small
          kind="quiet"
          unavailable={dismiss.isPending}
          onClick={() => {
            for (const { id } of ended) dismiss.mutate(id);
          }}
        >
          {`Dismiss ${countOf(ended.length, 'ended import')}`}
        </Button>
      )}
    </div>
  );
}
