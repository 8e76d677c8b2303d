import { useJoinedCall } from '../../api/wire.ts';
import styles from './bytes.module.css';
import type { LitText } from './bytes-view.tsx';
import { FramesTab } from './frames-tab.tsx';
import { visibleLine } from './visible-text.ts';

/** The frames of a step: its own, and those of its call on the wire recording that was joined. */
export function StepFrames(props: {
  runId: string;
  stepId: string;
  /** Frames that the run itself holds of the step. */
  ownCount: number;
  /** Finds what is lit in a frame's text. */
  litIn?: (text: string) => LitText | null;
}) {
  const { runId, stepId, ownCount } = props;
  const lit = props.litIn === undefined ? {} : { litIn: props.litIn };
  const joined = useJoinedCall(runId, stepId);
  const rule = joined?.by === 'order' ? 'order alone' : 'arguments';
  return (
    <>
      {ownCount === 0 ? null : <FramesTab runId={runId} stepId={stepId} {...lit} />}
      {joined === null ? null : (
        <>
          <FramesTab
            runId={joined.runId}
            stepId={joined.stepId}
            title="Frames of the joined wire"
            of={`step ${joined.seq}`}
            {...lit}
          />
          <p className={styles.remark}>
            {`Grade wire, from ${visibleLine(joined.title)}, step ${joined.seq}. That it is this call is derived: paired by ${rule}.`}
          </p>
        </>
      )}
    </>
  );
}
