import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTargets } from '../../api/targets.ts';
import { useKeys } from '../../state/use-keys.ts';
import { useTitle } from '../../state/use-title.ts';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/format-count.ts';
import { Notice } from '../../ui/notice.tsx';
import { PanelHead } from '../../ui/panel-head.tsx';
import { Segment } from '../../ui/segment.tsx';
import text from '../../ui/text.module.css';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { StatusItem, StatusItems } from '../shell/status-items.tsx';
import { AddServerForm } from './add-server-form.tsx';
import { ConfigImport } from './config-import.tsx';
import { ServerItem } from './server-item.tsx';
import styles from './servers-screen.module.css';

/** The live MCP servers that calls can be sent to. Nothing is started from here. */
export function ServersScreen() {
  useTitle('Servers');
  const targets = useTargets();
  const [added, setAdded] = useState<string | null>(null);
  const [revoked, setRevoked] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const [source, setSource] = useState<'typed' | 'file'>('typed');
  const focusForm = () => {
    // The form may have to come back first.
    flushSync(() => setSource('typed'));
    form.current?.querySelector<HTMLElement>('input')?.focus();
  };
  useKeys({
    title: 'Servers',
    hints: [{ caps: ['A'], words: 'add a server' }],
    handlers: { a: () => focusForm() },
  });
  const list = targets.data?.targets ?? [];
  const confirmed = list.filter((target) => target.confirmedAt !== null).length;
  return (
    <div className={styles.screen}>
      <section className={styles.column} aria-label="Servers">
        <PanelHead
          level={1}
          title="Servers"
          note="MCP servers that you configured on this machine; nothing starts before you send a call"
        />
        {targets.isError ? (
          <div className={styles.place}>
            <ProblemNotice
              title="The servers can’t be listed"
              error={targets.error}
              onRetry={() => void targets.refetch()}
            />
          </div>
        ) : targets.data !== undefined && list.length === 0 ? (
          <div className={styles.place}>
            <Notice title="Servers" note="none yet">
              <span>
                No server is configured, so no call can be sent. Add the MCP server that the bad run
                used, by its command or its URL.
              </span>
              <span className={text.secondary}>
                Adding starts nothing: you confirm the whole command first, and only sending a call
                starts it.
              </span>
              <span className={styles.answers}>
                <Button small onClick={focusForm}>
                  Add a server
                </Button>
                <Button small onClick={() => setSource('file')}>
                  Read from a file
                </Button>
              </span>
            </Notice>
          </div>
        ) : (
          <ul className={styles.list}>
            {list.map((target) => (
              <ServerItem
                key={target.name}
                target={target}
                justAdded={target.name === added}
                onRemoved={setRevoked}
              />
            ))}
          </ul>
        )}
      </section>
      <section className={styles.column} aria-label="Add a server">
        <PanelHead title="Add a server" note="starts nothing">
          <Segment
            small
            label="Where the server comes from"
            options={[
              { value: 'typed', label: 'typed in' },
              { value: 'file', label: 'from a file' },
            ]}
            value={source}
            onChange={setSource}
          />
        </PanelHead>
        {source === 'typed' ? (
          <AddServerForm formRef={form} onAdded={setAdded} />
        ) : (
          <ConfigImport taken={list.map(({ name }) => name)} onKept={setAdded} />
        )}
      </section>
      <StatusItems>
        {revoked === null ? null : (
          <StatusItem title={revoked}>
            <span role="status">{revoked}</span>
          </StatusItem>
        )}
        {targets.data === undefined ? null : (
          <StatusItem>
            {countOf(list.length, 'server')}, {confirmed} confirmed
          </StatusItem>
        )}
      </StatusItems>
    </div>
  );
}
