import type { AuditAnswer } from '@misstep/model';

const WIDTH = 12;
const HEIGHT = 8;
const GAP = 2;

/**
 * One 12 by 8 segment an answer: full, half full, or a hollow dashed one for what can't be
 * answered. Drawn with strokes and fills, so that the three differ without colour and where colours
 * are forced. Says nothing to a screen reader: what stands beside it does.
 */
export function AuditMeter(props: {
  answers: readonly AuditAnswer[];
  className?: string | undefined;
}) {
  const { answers, className } = props;
  const segments = answers.map((answer, index) => ({ answer, left: index * (WIDTH + GAP) }));
  const width = answers.length * (WIDTH + GAP) - GAP;
  return (
    <svg
      className={className}
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      aria-hidden="true"
    >
      {segments.map(({ answer, left }) => (
        <Segment key={left} answer={answer} left={left} />
      ))}
    </svg>
  );
}

function Segment(props: { answer: AuditAnswer; left: number }) {
  const { answer, left } = props;
  const filled = answer === 'answered' ? WIDTH : answer === 'partly' ? WIDTH / 2 : 0;
  return (
    <g data-answer={answer}>
      {filled === 0 ? null : <rect x={left} width={filled} height={HEIGHT} fill="currentColor" />}
      {answer === 'answered' ? null : (
        <rect
          x={left + 0.5}
          y={0.5}
          width={WIDTH - 1}
          height={HEIGHT - 1}
          fill="none"
          stroke="currentColor"
          strokeDasharray={answer === 'no' ? '2 2' : undefined}
        />
      )}
    </g>
  );
}
