import { member, parseJson, printNode } from '@misstep/json';
import type { AttributionCell, AttributionMatrix } from '@misstep/model';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format-count.ts';
import { PanelHead } from '../../ui/panel-head.tsx';
import { useReplay } from '../replay/use-replay.ts';
import { VisibleText } from '../step-panel/visible-text-view.tsx';
import bothStyles from './both-answers.module.css';
import styles from './experiment.module.css';

const MOST_SHOWN = 20_000;

/** The answer to the call under the cursor beside the one to the call that it was made from. */
export function BothAnswers(props: {
  matrix: AttributionMatrix;
  cell: AttributionCell;
  onClose: () => void;
}) {
  const { matrix, cell } = props;
  const count = matrix.arguments.length;
  const side = cell.group === 'intoB' || cell.key === 'B'.repeat(count) ? 'B' : 'A';
  // A and B themselves are held against each other.
  const otherKey =
    cell.group === 'base' ? (side === 'A' ? 'B' : 'A').repeat(count) : side.repeat(count);
  const other = matrix.cells.find(({ key }) => key === otherKey);
  return (
    <section className={bothStyles.both} aria-label="Both answers">
      <PanelHead title="Both answers" note="as received, of the newest send of each">
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

/** The result laid out over lines; the frame as it is where it has none or is cut. */
function resultText(frame: string): string {
  const parsed = parseJson(frame);
  if (!parsed.ok) return frame;
  const { value } = parsed;
  const result = member(value, value.root, 'result');
  return result === undefined ? frame : printNode(value.text, result, { indent: 2 });
}
