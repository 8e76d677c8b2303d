import type { RunSummary } from '@misstep/contract';
import { NotRecorded } from '../../ui/not-recorded.tsx';
import text from '../../ui/text.module.css';
import { costSentences, costText } from './cost-words.ts';

/** A run's cost in a cell or fact. What Misstep worked out is in label colour and says so in its title. */
export function RunCostText(props: { cost: RunSummary['cost'] }) {
  const words = costText(props.cost);
  const title = costSentences(props.cost).join(' ');
  if (words === null) return <NotRecorded title={title} />;
  const isRecorded = props.cost.evidence === 'recorded';
  return (
    <span title={title} className={isRecorded ? undefined : text.secondary}>
      {words}
    </span>
  );
}
