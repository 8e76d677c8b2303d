import type { ExperimentPlan } from '@misstep/model';
import { useMemo } from 'react';
import { PanelHead } from '../../ui/panel-head.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import { type ArgumentLine, argumentLines } from './argument-lines.ts';
import callStyles from './calls.module.css';

/** The argument texts as they would go out; the members that differ are marked by a sign. */
export function CallsSideBySide(props: {
  plan: ExperimentPlan;
  notes?: { readonly A: string | null; readonly B: string | null };
}) {
  const [a, b] = props.plan.calls;
  const lines = useMemo(
    () => argumentLines(a?.argumentsText ?? '{}', b?.argumentsText ?? a?.argumentsText ?? '{}'),
    [a, b],
  );
  if (a === undefined) return null;
  const all =
    b === undefined
      ? [{ call: a, own: lines.a }]
      : [
          { call: a, own: lines.a },
          { call: b, own: lines.b },
        ];
  return (
    <div className={callStyles.calls} data-one={b === undefined ? 'yes' : 'no'}>
      {all.map(({ call, own }) => (
        <section key={call.name} aria-label={`Call ${call.name}`}>
          <PanelHead
            level={3}
            title={
              <span className={callStyles.callName}>
                <SideBox side={call.name} />
                {`Call ${call.name}`}
              </span>
            }
            note={[sourceWords(call), props.notes?.[call.name] ?? null]
              .filter((each) => each !== null)
              .join(', ')}
          />
          <div className={callStyles.json} title={visibleLine(call.argumentsText.slice(0, 4000))}>
            {own.map((line) => (
              <Line key={line.name} line={line} />
            ))}
            {own.length === 0 ? (
              <div className={callStyles.line}>
                <span className={callStyles.gutter} />
                <span className={callStyles.lineText}>{'{}'}</span>
              </div>
            ) : null}
          </div>
        </section>
      ))}
    </div>
  );
}

function Line(props: { line: ArgumentLine }) {
  const { line } = props;
  return (
    <div className={callStyles.line} data-differs={line.differs ? 'yes' : 'no'}>
      <span className={callStyles.gutter}>{line.differs ? '≠' : ''}</span>
      <span className={callStyles.lineText}>
        <span className={callStyles.key}>{visibleLine(line.key)}</span>
        <span className={callStyles.colon}>: </span>
        <span className={callStyles.value}>{visibleLine(line.value)}</span>
      </span>
    </div>
  );
}

/** A or B as a letter in a box, so that it reads without colour. */
export function SideBox(props: { side: 'A' | 'B'; isFlipped?: boolean }) {
  return (
    <span
      className={callStyles.side}
      data-side={props.side}
      data-flipped={props.isFlipped === true ? 'yes' : 'no'}
    >
      {props.side}
    </span>
  );
}

function sourceWords(call: ExperimentPlan['calls'][number]): string {
  if (call.from === 'recorded') return `step ${call.stepSeq}, recorded`;
  return call.from === 'replay'
    ? `step ${call.stepSeq}, a replay`
    : `step ${call.stepSeq}, your edit`;
}
