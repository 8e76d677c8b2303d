import type { AttributionMatrix, Experiment } from '@misstep/model';
import { PanelHead } from '../../ui/panel-head.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import { shortNames } from './argument-lines.ts';
import styles from './experiment.module.css';
import orderStyles from './send-order.module.css';

/** Above this many sends there is no room for their names. */
const MOST_LABELLED = 44;

/** Sends in time: a drift of the server would show as a step, an effect as a pattern. */
export function SendOrder(props: { experiment: Experiment; matrix: AttributionMatrix }) {
  const { experiment, matrix } = props;
  const { order } = experiment.plan;
  const sent = new Map(experiment.sends.map((send) => [send.id, send]));
  const names = matrix.arguments.map(({ name }) => name);
  const shorts = shortNames(names);
  const moving = new Set(
    matrix.judgements
      .filter(({ verdict }) => verdict !== 'no effect' && verdict !== 'not decided')
      .map(({ argument }) => argument),
  );
  const levels = levelsOf(matrix);
  const lowest = levels.length;
  const signatureOf = new Map(
    matrix.cells.flatMap((cell) =>
      cell.sends.map(({ id, signature }): [string, string] => [id, signature]),
    ),
  );
  const columns = `72px repeat(${order.length}, minmax(0, 1fr))`;
  return (
    <>
      <PanelHead
        title="Order of sends"
        note="shuffled in each repeat, so drift over time would show as a step"
      >
        {moving.size === 0 ? null : (
          <span
            className={styles.quiet}
          >{`Filled: ${[...moving].map(visibleLine).join(', ')} switched`}</span>
        )}
      </PanelHead>
      <div
        className={orderStyles.sendOrder}
        role="img"
        aria-label={`${experiment.sends.length} of ${order.length} sends in order: ${describe(experiment)}`}
        style={{
          gridTemplateColumns: columns,
          gridTemplateRows: `repeat(${lowest}, 18px) 18px`,
        }}
      >
        {levels.map(({ signature, words }, level) => (
          <span key={signature} className={orderStyles.level} style={{ gridRow: level + 1 }}>
            {visibleLine(words)}
          </span>
        ))}
        {order.map(({ id, label, round }, at) => {
          const key = id.slice(id.lastIndexOf(' ') + 1);
          const send = sent.get(id);
          const signature = signatureOf.get(id);
          const level = levels.findIndex((each) => each.signature === signature);
          const isFirst = at === 0 || order[at - 1]?.round !== round;
          const base = matrix.cells.find((cell) => cell.key === key);
          return [
            isFirst ? (
              <span
                key={`round ${round}`}
                className={orderStyles.roundMark}
                style={{
                  gridColumn: `${at + 2} / span ${order.filter((each) => each.round === round).length}`,
                  gridRow: `1 / ${lowest + 2}`,
                }}
              >
                {round}
              </span>
            ) : null,
            <span
              key={id}
              className={orderStyles.send1}
              data-state={
                send === undefined
                  ? 'planned'
                  : isFilled(base?.flipped ?? null, moving)
                    ? 'filled'
                    : 'sent'
              }
              title={`${at + 1}: ${visibleLine(label)}${send === undefined ? ', not sent' : ''}`}
              style={{
                gridColumn: at + 2,
                gridRow: level < 0 ? lowest : level + 1,
              }}
            >
              {order.length > MOST_LABELLED ? '' : tagOf(key, base?.group ?? 'mixed', shorts)}
            </span>,
          ];
        })}
      </div>
    </>
  );
}

function isFilled(flipped: string | null, moving: ReadonlySet<string>): boolean {
  return flipped !== null && moving.has(flipped);
}

/** B's outcome on top, A's at the bottom, what is neither between them: both have their line from the start. */
function levelsOf(matrix: AttributionMatrix): { signature: string; words: string }[] {
  const { outcomeA, outcomeB } = matrix;
  const wordsOf = (signature: string | null, side: 'A' | 'B') => {
    const row = matrix.signatures.find((each) => each.signature === signature);
    if (row === undefined) return '';
    return row.words === 'the whole result' ? `as ${side}` : row.words;
  };
  const others = matrix.signatures
    .filter(({ signature }) => signature !== outcomeA && signature !== outcomeB)
    .map(({ signature, words, short }) => ({
      signature,
      words: words === 'the whole result' ? short.slice(0, 4) : words,
    }));
  return [
    { signature: outcomeB ?? 'B is not known', words: wordsOf(outcomeB, 'B') },
    ...others,
    ...(outcomeA !== null && outcomeA === outcomeB
      ? []
      : [{ signature: outcomeA ?? 'A is not known', words: wordsOf(outcomeA, 'A') }]),
  ];
}

function tagOf(
  key: string,
  group: AttributionMatrix['cells'][number]['group'],
  shorts: readonly string[],
): string {
  if (group === 'base') return key.charAt(0);
  const side = group === 'intoB' ? 'A' : 'B';
  const flipped = shorts.filter((_, index) => key[index] === side);
  return `${group === 'intoB' ? 'B' : 'A'}+${visibleLine(flipped.join(''))}`.slice(0, 8);
}

function describe({ sends }: Experiment): string {
  return sends
    .map(({ label, outcome }) => `${label} ${outcome}`)
    .join('; ')
    .slice(0, 2000);
}
