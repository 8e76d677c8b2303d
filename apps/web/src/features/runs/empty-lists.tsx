import type { RunSummary } from '@misstep/contract';
import { Link } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/format-count.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { Notice } from '../../ui/notice.tsx';
import text from '../../ui/text.module.css';
import styles from './empty-lists.module.css';
import { parseFilter } from './run-filter.ts';
import type { RunFilter } from './use-run-filter.ts';

/** Nothing was imported yet: what this is for, and the first step. */
export function NoRuns() {
  return (
    <div className={styles.place}>
      <Notice title="Runs" note="none yet">
        <span>
          No recording was imported. Drop a transcript, a session file or a wire recording anywhere
          in this window, paste one with <Kbd>Ctrl V</Kbd>, or use Choose file above.
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
