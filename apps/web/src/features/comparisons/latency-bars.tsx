import { countOf } from '../../ui/format-count.ts';
import { formatStepDuration } from '../../ui/format-time.ts';
import styles from './experiment.module.css';

const BUCKETS = 12;

/** How long calls took, as a row of bars: shortest at the left, longest at the right. */
export function LatencyBars(props: { label: string; durationsNs: readonly number[] }) {
  const { durationsNs, label } = props;
  if (durationsNs.length === 0) return <p className={styles.note}>No answer came, so no time.</p>;
  const least = durationsNs.reduce((a, b) => Math.min(a, b));
  const most = durationsNs.reduce((a, b) => Math.max(a, b));
  const [from, to] = endsOf(least, most);
  const buckets = Array.from({ length: BUCKETS }, () => 0);
  for (const duration of durationsNs) {
    const at = most === least ? 0 : Math.floor(((duration - least) / (most - least)) * BUCKETS);
    const index = Math.min(BUCKETS - 1, at);
    buckets[index] = (buckets[index] ?? 0) + 1;
  }
  const tallest = Math.max(...buckets);
  const words = `${countOf(durationsNs.length, 'call')} from ${from} to ${to}`;
  return (
    <div className={styles.latency}>
      <div className={styles.bars} role="img" aria-label={`${label}: ${words}`}>
        {buckets.map((count, at) => (
          // Buckets never change their place.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above.
          <i key={at} title={`${count}`} style={{ height: `${(count / tallest) * 100}%` }} />
        ))}
      </div>
      <div className={styles.barEnds}>
        <span>{from}</span>
        {least === most ? null : <span>{to}</span>}
      </div>
    </div>
  );
}

/** Two ends that read the same though the bars stand apart are written finer. */
function endsOf(leastNs: number, mostNs: number): [string, string] {
  const [from, to] = [formatStepDuration(leastNs), formatStepDuration(mostNs)];
  if (leastNs === mostNs || from !== to) return [from, to];
  return [`${(leastNs / 1e6).toFixed(3)} ms`, `${(mostNs / 1e6).toFixed(3)} ms`];
}
