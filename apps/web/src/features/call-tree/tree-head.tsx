import { classNames } from '../../ui/class-names.ts';
import text from '../../ui/text.module.css';
import styles from './call-tree.module.css';
import type { AxisTick } from './time-axis.ts';

/** Column heads; the last holds the ticks of the axis. */
export function TreeHead(props: {
  ticks: readonly AxisTick[];
  axisRef: (element: HTMLElement | null) => void;
  hasTimes: boolean;
}) {
  return (
    <div role="row" aria-rowindex={1} className={classNames(styles.columns, styles.head)}>
      <span role="columnheader" tabIndex={-1}>
        <span className={text.hidden}>Mark</span>
      </span>
      <Head className={styles.headNumber}>#</Head>
      <Head className={styles.headStep}>Step</Head>
      <Head>Arguments, text</Head>
      <Head className={styles.headCenter} title="Evidence">
        Ev
      </Head>
      <Head className={classNames(styles.headNumber, styles.headTokens)}>Tokens</Head>
      <Head className={styles.headNumber}>Duration</Head>
      <span
        role="columnheader"
        tabIndex={-1}
        className={styles.axis}
        ref={props.axisRef}
        aria-label="Time"
      >
        {props.hasTimes ? (
          props.ticks.map((tick) => (
            <span key={tick.ns} style={{ left: tick.px + 3 }}>
              {tick.label}
            </span>
          ))
        ) : (
          <span style={{ left: 3 }}>order only, no times recorded</span>
        )}
      </span>
    </div>
  );
}

function Head(props: { children: string; className?: string | undefined; title?: string }) {
  return (
    <span role="columnheader" tabIndex={-1} className={props.className} title={props.title}>
      {props.children}
    </span>
  );
}
