import type { EvidenceGrade } from '@misstep/model';
import { classNames } from './class-names.ts';
import styles from './evidence.module.css';

/** What each grade means, for titles. */
export const EVIDENCE_MEANING: Readonly<Record<EvidenceGrade, string>> = {
  wire: 'bytes seen on the transport',
  logged: 'structured record by the client or agent',
  rendered: 'text as a person or model saw it',
  derived: 'worked out by Misstep',
};

/** The shape of a grade alone: disc, open square, hatched square, dashed ring. */
export function EvidenceDot(props: { grade: EvidenceGrade; title?: string; decorative?: boolean }) {
  const className = classNames(styles.dot, styles[props.grade]);
  if (props.decorative) return <span className={className} aria-hidden="true" />;
  return (
    <span
      className={className}
      role="img"
      aria-label={props.grade}
      title={props.title ?? `${props.grade}: ${EVIDENCE_MEANING[props.grade]}`}
    />
  );
}

/** Shape and word. */
export function EvidenceGradeLabel(props: { grade: EvidenceGrade; children?: string }) {
  return (
    <span
      className={classNames(styles.label, styles[`${props.grade}Text`])}
      title={EVIDENCE_MEANING[props.grade]}
    >
      <EvidenceDot grade={props.grade} decorative />
      {props.children ?? props.grade}
    </span>
  );
}

/** Class name of a bar whose fill says how its timing was recorded. */
export function evidenceFillClass(grade: EvidenceGrade): string {
  return styles[`${grade}Fill`] ?? '';
}
