import type { FormatInfo } from '@misstep/contract';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Fragment, useEffect, useRef } from 'react';
import { useFormatPage, useReadSourceAs, useSourceFormats } from '../../api/formats.ts';
import { useFormats, useImports } from '../../api/imports.ts';
import { useTitle } from '../../state/use-title.ts';
import { Button } from '../../ui/button.tsx';
import { EvidenceGradeLabel } from '../../ui/evidence.tsx';
import { countOf, formatBytes } from '../../ui/format-count.ts';
import { PanelHead } from '../../ui/panel-head.tsx';
import text from '../../ui/text.module.css';
import { ImportList } from '../import/import-list.tsx';
import { ReadAs } from '../import/read-as.tsx';
import { ProblemLine, ProblemNotice } from '../shell/problem-notice.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import { Worded } from '../step-panel/worded.tsx';
import { FormatPage } from './format-page.tsx';
import styles from './formats-screen.module.css';

const route = getRouteApi('/formats');

/** What can be read, what each format loses, and why a source was read as it was. */
export function FormatsScreen() {
  const { format = null, source = null } = route.useSearch();
  useTitle(source === null ? 'Formats' : 'Why this format?');
  const formats = useFormats();
  const scored = useSourceFormats(source);
  const scores = new Map(scored.data?.scores.map((each) => [each.format, each.score]));
  const listed = [...(formats.data ?? [])];
  if (scored.data !== undefined) {
    listed.sort((a, b) => (scores.get(b.id) ?? 0) - (scores.get(a.id) ?? 0));
  }
  const shown = format ?? listed[0]?.id ?? null;
  const list = useRef<HTMLUListElement>(null);
  const isListed = listed.some(({ id }) => id === format);
  // A link names a format that may stand far down; of a source the best one stands first.
  useEffect(() => {
    if (!isListed || source !== null) return;
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [isListed, source]);
  return (
    <div className={styles.screen}>
      <section className={styles.column} aria-label="Formats">
        {source === null ? (
          <PanelHead level={1} title="Formats" note={countOf(listed.length, 'format')} />
        ) : (
          <SourceHead source={source} scored={scored} />
        )}
        {formats.isError ? (
          <ProblemNotice
            title="The formats can’t be listed"
            error={formats.error}
            onRetry={() => void formats.refetch()}
          />
        ) : null}
        <ul ref={list}>
          {listed.map((each) => (
            <li key={each.id}>
              <Link
                to="/formats"
                search={{ format: each.id, ...(source === null ? {} : { source }) }}
                className={styles.format}
                aria-current={each.id === shown ? 'true' : undefined}
              >
                <span className={text.ellipsis}>{each.title}</span>
                <EvidenceGradeLabel grade={each.evidence} />
                {scored.data === undefined ? null : (
                  <span className={text.number}>{(scores.get(each.id) ?? 0).toFixed(2)}</span>
                )}
              </Link>
            </li>
          ))}
        </ul>
      </section>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard. */}
      <section className={styles.column} aria-label="Page of the format" tabIndex={0}>
        <ChosenFormat
          format={formats.data?.find(({ id }) => id === shown) ?? null}
          source={scored.data === undefined ? null : source}
          readAs={scored.data?.runs.map((run) => run.format) ?? []}
          isKept={scored.data?.isKept ?? false}
        />
      </section>
    </div>
  );
}

function SourceHead(props: { source: string; scored: ReturnType<typeof useSourceFormats> }) {
  const { source, scored } = props;
  const imports = useImports();
  const formats = useFormats();
  const titleOf = (format: string) =>
    formats.data?.find(({ id }) => id === format)?.title ?? format;
  return (
    <>
      <PanelHead level={1} title="Why this format?" note="every format scores the content">
        <Link to="/formats" search={{}}>
          All formats
        </Link>
      </PanelHead>
      <ImportList imports={imports.data ?? []} />
      <div className={styles.words}>
        {scored.isError ? <ProblemLine error={scored.error} /> : null}
        {scored.data === undefined ? null : (
          <>
            <p>
              <span className={text.medium}>{visibleLine(scored.data.name)}</span>,{' '}
              {formatBytes(scored.data.sizeBytes)}.
              {scored.data.why === null ? null : (
                <>
                  {' '}
                  <Worded text={scored.data.why} />
                </>
              )}
            </p>
            {scored.data.isKept ? (
              <p className={styles.choice}>
                <span>Read as</span>
                <ReadAs
                  sha256={source}
                  name={visibleLine(scored.data.name)}
                  readAs={scored.data.runs.map(({ format }) => format)}
                />
              </p>
            ) : (
              <p className={text.secondary}>
                Its bytes are not here any more: these are the scores of its import. To read it as
                another format, import the file again and choose that format.
              </p>
            )}
            <p>
              The name is not looked at. The highest score reads it; at {scored.data.minimumScore}{' '}
              or below none does. Another format can be chosen: the run that is there stays, and the
              other is a run of its own.
            </p>
            <p>
              {scored.data.runs.length === 0
                ? 'No run was read from it.'
                : scored.data.runs.length === 1
                  ? 'Its run: '
                  : 'Its runs: '}
              {scored.data.runs.map((run, at) => (
                <Fragment key={run.id}>
                  {at === 0 ? null : ', '}
                  <Link to="/runs/$runId" params={{ runId: run.id }} search={{}}>
                    {titleOf(run.format)}
                  </Link>
                </Fragment>
              ))}
            </p>
          </>
        )}
      </div>
    </>
  );
}

function ChosenFormat(props: {
  format: FormatInfo | null;
  source: string | null;
  readAs: readonly string[];
  isKept: boolean;
}) {
  const { format, source } = props;
  const page = useFormatPage(format?.id ?? null);
  const read = useReadSourceAs();
  if (format === null) return null;
  return (
    <>
      <PanelHead title={format.title} note={format.id}>
        <EvidenceGradeLabel grade={format.evidence} />
        {source === null ? null : (
          <Button
            small
            unavailable={read.isPending || !props.isKept || props.readAs.includes(format.id)}
            title={
              props.readAs.includes(format.id)
                ? 'It was read as this format'
                : !props.isKept
                  ? 'Its bytes are not here any more: import the file again'
                  : 'Read this source as this format'
            }
            onClick={() => read.mutate({ sha256: source, format: format.id })}
          >
            Read as this
          </Button>
        )}
      </PanelHead>
      {read.isError ? <ProblemLine error={read.error} /> : null}
      <div className={styles.words}>
        {page.isError ? <ProblemLine error={page.error} /> : null}
        {page.data === undefined ? null : <FormatPage page={page.data.page} />}
      </div>
    </>
  );
}
