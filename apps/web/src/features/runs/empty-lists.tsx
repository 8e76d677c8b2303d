import type { ImportState, RunSummary } from '@misstep/contract';
import { Link } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { countOf, formatBytesOf } from '../../ui/format-count.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import text from '../../ui/text.module.css';
import { phaseWords } from '../import/import-words.ts';
import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './empty-lists.module.css';
import { parseFilter } from './run-filter.ts';
import type { RunFilter } from './use-run-filter.ts';

/** No run yet: what is on its way, or what this is for and the first step. */
export function NoRuns(props: { imports: readonly ImportState[] }) {
  const running = props.imports.filter(({ phase }) => phase !== null);
  if (running.length > 0) return <FirstImport running={running} />;
  const runCount = props.imports.reduce((sum, { summary }) => sum + summary.runCount, 0);
  return (
    <div className={styles.place}>
      <Notice title="Runs" note="none yet">
        <span>
          {props.imports.length === 0
            ? 'No recording was imported.'
            : runCount > 0
              ? 'The runs that were imported are not here any more.'
              : 'No run came of what was imported; the lines above say why, and how to read it as another format.'}{' '}
          Drop a transcript, a session file or a wire recording anywhere in this window, paste one
          with <Kbd>Ctrl V</Kbd>, or use Choose file above.
        </span>
        <dl className={styles.jobs}>
          <dt>Browse bad runs</dt>
          <dd>Drop a folder of sessions; filter by errors, tools and marks, and walk the calls.</dd>
          <dt>Triage a report</dt>
          <dd>
            Paste the transcript that somebody sent, find the first wrong step, mark it and say why.
          </dd>
          <dt>Watch an agent</dt>
          <dd>
            <Link to="/find">Find on this machine</Link> lists what installed agents keep, and
            follows a folder if you wish. <Link to="/receiver">Receive spans</Link> shows what the
            environment of an agent needs; its run then appears here while it works.
          </dd>
          <dt>Send one call again</dt>
          <dd>
            Add the MCP server under Servers, edit the recorded arguments, send, and compare the
            answer with what the transcript showed.
          </dd>
        </dl>
        <span className={text.secondary}>
          From a terminal: <code className={text.mono}>npx misstep import PATH</code>
        </span>
      </Notice>
    </div>
  );
}

/** The list is empty because its first runs are still being read. */
function FirstImport(props: { running: readonly ImportState[] }) {
  const { running } = props;
  const [only] = running;
  const readBytes = running.reduce((sum, each) => sum + each.readBytes, 0);
  const sizeBytes = running.reduce((sum, each) => sum + each.sizeBytes, 0);
  const steps = running.reduce((sum, each) => sum + each.steps, 0);
  const name = only === undefined || running.length > 1 ? null : visibleLine(only.name);
  const title = name === null ? countOf(running.length, 'import') : name;
  return (
    <div className={styles.place}>
      <Notice title="Runs" note="the first ones are being read">
        <span className={text.ellipsis} title={title}>
          <span className={text.medium}>{title}</span>
          {only === undefined || running.length > 1 ? '' : ` · ${phaseWords(only)}`}
        </span>
        <ProgressBar label="Importing the first runs" done={readBytes} total={sizeBytes} />
        <span className={`${text.secondary} ${styles.amounts}`}>
          {`${formatBytesOf(readBytes, sizeBytes)}${steps > 0 ? `, ${countOf(steps, 'step')}` : ''}. `}
          A run stands here as soon as its steps are saved. You can go on meanwhile, and cancel in
          the line above; what was saved by then is kept.
        </span>
      </Notice>
    </div>
  );
}

/** The filter leaves nothing: each part that could be dropped, with what that would show. */
export function NoResults(props: { filter: RunFilter; runs: readonly RunSummary[] }) {
  const { filter, runs } = props;
  const { tokens } = filter.parsed;
  const wider = tokens.map((token) => {
    const query = `${filter.query.slice(0, token.start)}${filter.query.slice(token.end)}`
      .replace(/\s+/g, ' ')
      .trimStart();
    return {
      token,
      query,
      count: runs.filter(parseFilter(query, filter.fields).matches).length,
    };
  });
  return (
    <div className={styles.place}>
      <Notice title="No run fits" note={`0 of ${countOf(runs.length, 'run')}`}>
        <span>No run fits every part of the filter. Take one away, or all.</span>
        <span className={styles.wider}>
          {wider.length > 1
            ? wider.map(({ token, query, count }) => (
                <Button key={token.start} small onClick={() => filter.setQuery(query)}>
                  without <span className={text.monoSmall}>{token.text}</span>
                  <span className={text.tertiary}>{countOf(count, 'run')}</span>
                </Button>
              ))
            : null}
          <Button small onClick={() => filter.setQuery('')}>
            Clear the filter <span className={text.tertiary}>{countOf(runs.length, 'run')}</span>
          </Button>
        </span>
      </Notice>
    </div>
  );
}
