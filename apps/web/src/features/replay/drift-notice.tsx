import type { DefinitionDrift, DriftEffect, StepTool, ToolListDrift } from '@misstep/contract';
import { useState } from 'react';
import { countOf } from '../../ui/format-count.ts';
import { Icon } from '../../ui/icon.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import { Worded } from '../step-panel/worded.tsx';
import styles from './draft.module.css';

type Change = DefinitionDrift['changes'][number];

const GROUPS: readonly { effect: DriftEffect; title: string }[] = [
  { effect: 'validation', title: 'Changes what validation takes' },
  { effect: 'reading', title: 'Only changes what a model reads' },
  { effect: 'policy', title: "Changes what a client's policy reads" },
];

/** That the server's tools are not the recorded ones, and how. Nothing where nothing differs. */
export function DriftNotice(props: { stepTool: StepTool }) {
  const { drift, listDrift, live, tool } = props.stepTool;
  const [isOpen, setOpen] = useState(false);
  if (live?.definition === null) return <ToolGone stepTool={props.stepTool} />;
  const ownChanged = drift !== null && (drift.state === 'changed' || drift.state === 'cannot tell');
  const listChanged = listDrift !== null && differs(listDrift);
  if (!ownChanged && !listChanged) return null;
  const first = weightiestOf(drift?.changes ?? []);
  return (
    <div className={styles.notice}>
      <Icon name="warning" />
      <div className={styles.words}>
        <span>
          <span className={styles.strong}>
            {listChanged
              ? 'Tools list differs from the recording.'
              : 'The tool’s definition differs from the recording.'}
          </span>{' '}
          <span className={styles.secondary}>{driftWords(listDrift, ownChanged)}</span>{' '}
          <button
            type="button"
            className={styles.link}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Close' : 'Compare'}
          </button>
        </span>
        {isOpen ? (
          <DriftDetail drift={drift} listDrift={listDrift} tool={tool} />
        ) : (
          <>
            {first === null ? null : <Lines change={first} short />}
            {drift === null || drift.statement === null ? null : (
              <span className={styles.secondary}>{drift.statement}</span>
            )}
          </>
        )}
      </div>
    </div>
  );
}

const WEIGHT: readonly DriftEffect[] = ['validation', 'policy', 'reading'];

/** What a call can fail by goes before what is only read. */
function weightiestOf(changes: readonly Change[]): Change | null {
  for (const effect of WEIGHT) {
    const found = changes.find((change) => change.effect === effect);
    if (found !== undefined) return found;
  }
  return changes[0] ?? null;
}

function differs({ added, removed, changed }: ToolListDrift): boolean {
  return added.length + removed.length + changed.length > 0;
}

function driftWords(list: ToolListDrift | null, ownChanged: boolean): string {
  if (list === null || !differs(list)) return '';
  const { changed, added, removed, recordedCount } = list;
  const own = ownChanged ? 'this one too' : 'not this one';
  const parts = [
    changed.length === 0
      ? null
      : `${changed.length} of ${countOf(recordedCount, 'tool')} changed, ${own}`,
    added.length === 0 ? null : `${added.length} added`,
    removed.length === 0 ? null : `${removed.length} gone`,
  ].filter((part) => part !== null);
  return `${parts.join('; ')}.`;
}

function ToolGone(props: { stepTool: StepTool }) {
  const { tool, live } = props.stepTool;
  const nearest = live?.nearest ?? [];
  return (
    <div className={styles.notice}>
      <Icon name="warning" className={styles.warning} />
      <div className={styles.words}>
        <span className={styles.strong}>
          <Worded text={`The server lists no tool named \`${tool}\`.`} />
        </span>
        <span className={styles.secondary}>
          {nearest.length === 0
            ? 'It lists no tools at all.'
            : `Nearest of its ${live?.toolList.toolCount ?? 0}: ${nearest.map(visibleLine).join(', ')}.`}
        </span>
      </div>
    </div>
  );
}

function DriftDetail(props: {
  drift: DefinitionDrift | null;
  listDrift: ToolListDrift | null;
  tool: string;
}) {
  const { drift, listDrift, tool } = props;
  return (
    <section aria-label="Definition, recorded and live" className={styles.drift}>
      {drift === null || drift.changes.length > 0 ? null : (
        <p>
          <Worded text={drift.sentence} />
        </p>
      )}
      {drift === null || drift.statement === null ? null : (
        <p className={styles.strong}>{drift.statement}</p>
      )}
      {GROUPS.map(({ effect, title }) => {
        const changes = drift?.changes.filter((change) => change.effect === effect) ?? [];
        if (changes.length === 0) return null;
        return (
          <div key={effect}>
            <h3 className={styles.groupTitle}>
              {title} <span className={styles.secondary}>{changes.length}</span>
            </h3>
            {changes.map((change) => (
              <div key={change.pointer} className={styles.driftChange}>
                <div className={styles.mono}>
                  {visibleLine(change.pointer)}
                  {change.note === null ? null : (
                    <span className={styles.secondary}>{` ${change.note}`}</span>
                  )}
                </div>
                <Lines change={change} short={false} />
              </div>
            ))}
          </div>
        );
      })}
      {drift === null || drift.changesOmitted === 0 ? null : (
        <p>{`${countOf(drift.changesOmitted, 'more change')} not listed.`}</p>
      )}
      {drift === null || drift.notRecorded.length === 0 ? null : (
        <p>{`Not in the recording either way: ${drift.notRecorded.map(visibleLine).join(', ')}.`}</p>
      )}
      {listDrift === null ? null : <OtherTools listDrift={listDrift} tool={tool} />}
    </section>
  );
}

function OtherTools(props: { listDrift: ToolListDrift; tool: string }) {
  const { added, removed, changed, recordedCount, liveCount } = props.listDrift;
  const others = changed.filter(({ name }) => name !== props.tool);
  const rows = [
    { title: 'Other tools changed', names: others.map(({ name }) => name) },
    { title: 'Added', names: added },
    { title: 'Gone', names: removed },
  ].filter(({ names }) => names.length > 0);
  return (
    <div>
      <h3 className={styles.groupTitle}>
        Tools list{' '}
        <span className={styles.secondary}>{`${recordedCount} recorded, ${liveCount} live`}</span>
      </h3>
      {rows.map(({ title, names }) => (
        <p key={title}>
          {`${title}: `}
          <span className={styles.mono}>{names.map(visibleLine).join(', ')}</span>
        </p>
      ))}
    </div>
  );
}

/** `− recorded` above `+ live`, as written. */
function Lines(props: { change: Change; short: boolean }) {
  const { change, short } = props;
  const name = short ? `${nameOf(change.pointer)}: ` : '';
  const line = (text: string | null, omitted: number) =>
    text === null
      ? 'not there'
      : `${visibleLine(text)}${omitted === 0 ? '' : ` … ${countOf(omitted, 'byte')} more`}`;
  const { recorded, live } = change.omittedBytes;
  return (
    <div className={short ? styles.diffShort : styles.diff}>
      <div className={styles.before} title={short ? (change.recorded ?? '') : undefined}>
        <span className={styles.hidden}>recorded </span>
        <span aria-hidden="true">− </span>
        {`${name}${line(change.recorded, recorded)}`}
      </div>
      <div className={styles.now} title={short ? (change.live ?? '') : undefined}>
        <span className={styles.hidden}>live </span>
        <span aria-hidden="true">+ </span>
        {`${name}${line(change.live, live)}`}
      </div>
    </div>
  );
}

/** What a person calls the place: the property whose keyword it is, else the part. */
function nameOf(pointer: string): string {
  const parts = pointer.split('/').slice(1);
  const last = parts.at(-1) ?? '';
  const owner = parts.at(-2);
  const words =
    parts.length > 2 && owner !== undefined
      ? last === 'description'
        ? owner
        : `${owner} ${last}`
      : last;
  return visibleLine(words.replaceAll('~1', '/').replaceAll('~0', '~'));
}
