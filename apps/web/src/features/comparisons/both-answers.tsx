import { member, parseJson, printJson, printNode, stringValue } from '@misstep/json';
import type { AttributionCell, AttributionMatrix } from '@misstep/model';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format-count.ts';
import { PanelHead } from '../../ui/panel-head.tsx';
import { useReplay } from '../replay/use-replay.ts';
import { VisibleText } from '../step-panel/visible-text-view.tsx';
import bothStyles from './both-answers.module.css';
import styles from './experiment.module.css';
import type { TableRow } from './table-rows.ts';

const MOST_SHOWN = 20_000;

/** The answer to the call under the cursor beside the one to the call that it was made from. */
export function BothAnswers(props: {
  matrix: AttributionMatrix;
  row: TableRow;
  onClose: () => void;
}) {
  const { matrix, row } = props;
  const { cell, group } = row;
  const count = matrix.arguments.length;
  const side = group === 'intoB' || cell.key === 'B'.repeat(count) ? 'B' : 'A';
  // A and B themselves are held against each other.
  const otherKey = group === 'base' ? (side === 'A' ? 'B' : 'A').repeat(count) : side.repeat(count);
  const other = matrix.cells.find(({ key }) => key === otherKey);
  return (
    <section className={bothStyles.both} aria-label="Both answers">
      <PanelHead title="Both answers" note="of the newest send of each, laid out over lines">
        <Button small kind="quiet" onClick={props.onClose}>
          Close
        </Button>
      </PanelHead>
      <div className={bothStyles.bothColumns}>
        <Answer title={`call ${otherKey.charAt(0)}`} cell={other} />
        <Answer title="the row under the cursor" cell={cell} />
      </div>
    </section>
  );
}

function Answer(props: { title: string; cell: AttributionCell | undefined }) {
  const replayId = props.cell?.sends.at(-1)?.replayId ?? null;
  const replay = useReplay(replayId).data;
  const frame = replay?.frames.findLast(
    ({ direction, kind }) =>
      direction === 'server-to-client' && (kind === 'response' || kind === 'error'),
  );
  const text = frame === undefined ? null : resultText(frame.text);
  const left = (text?.length ?? 0) - MOST_SHOWN;
  return (
    <div className={bothStyles.answer}>
      <span className={styles.quiet}>{props.title}</span>
      {replayId === null || (replay !== undefined && text === null) ? (
        <p className={styles.secondary}>No answer came.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard.
        <pre className={bothStyles.answerText} tabIndex={0}>
          <VisibleText text={(text ?? '').slice(0, MOST_SHOWN)} />
        </pre>
      )}
      {left > 0 ? (
        <p className={styles.secondary}>{`${formatCount(left)} more characters in the replay`}</p>
      ) : null}
    </div>
  );
}

/**
 * The JSON in the only text block laid out over lines, else the result, else the frame as it is:
 * the tokens stay character for character.
 */
function resultText(frame: string): string {
  const parsed = parseJson(frame);
  if (!parsed.ok) return frame;
  const { value } = parsed;
  const result = member(value, value.root, 'result');
  if (result === undefined) return frame;
  const content = member(value, result, 'content');
  const only =
    content?.kind === 'array' && content.items.length === 1 ? content.items[0] : undefined;
  const text = only === undefined ? undefined : member(value, only, 'text');
  const inText = text?.kind === 'string' ? parseJson(stringValue(value, text)) : null;
  if (inText?.ok === true && inText.value.root.kind === 'object') {
    return printJson(inText.value, { indent: 2 });
  }
  return printNode(value.text, result, { indent: 2 });
}
