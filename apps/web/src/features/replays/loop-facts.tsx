import { useLoop } from '../../api/experiments.ts';
import { countOf, formatCount } from '../../ui/format-count.ts';
import { formatLongDuration } from '../../ui/format-time.ts';
import text from '../../ui/text.module.css';

/** What finding it out has cost so far: direct calls, edit to answer, runs that reached the tool. */
export function LoopFacts() {
  const loop = useLoop().data;
  if (loop === undefined || loop.directCalls.total === 0) return null;
  const { directCalls, editToAnswer, cases } = loop;
  const { medianMs, measuredCount, editedCount } = editToAnswer;
  const facts = [
    {
      words: countOf(directCalls.total, 'direct call'),
      title: `${formatCount(directCalls.inExperiments)} of them in comparisons`,
    },
    ...(medianMs === null
      ? []
      : [
          {
            words: `edit to answer ${formatLongDuration(medianMs * 1e6)}`,
            title: `the median of ${countOf(measuredCount, 'call')}, ${formatCount(editedCount)} edited; from the first change of the arguments, or from opening the draft`,
          },
        ]),
    ...cases.flatMap(({ name, runCount, tools }) =>
      tools.map(({ tool, reachedRunCount }) => ({
        words: `case ${name}: ${formatCount(reachedRunCount)} of ${countOf(runCount, 'run')} reached ${tool}`,
        title: 'runs tagged with this case in which the agent called the tool at all',
      })),
    ),
  ];
  return (
    <span className={`${text.row} ${text.secondary} ${text.ellipsis}`}>
      {facts.map(({ words, title }) => (
        <span key={words} title={title}>
          {words}
        </span>
      ))}
    </span>
  );
}
