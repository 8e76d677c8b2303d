import {
  EVIDENCE_GRADES,
  type EvidenceGrade,
  type Skeleton,
  STEP_KINDS,
  STEP_STATUSES,
  type StepKind,
  type StepStatus,
} from '@misstep/model';

export interface StepSketch {
  parent?: number;
  kind?: StepKind;
  name?: string;
  server?: string | null;
  tool?: string | null;
  summary?: string;
  /** Seconds since the run's start; null = not recorded. */
  start?: number | null;
  seconds?: number | null;
  status?: StepStatus;
  flags?: number;
  evidence?: EvidenceGrade;
  tokens?: number | null;
}

/** A skeleton from a sketch of its steps. */
export function skeletonOf(steps: readonly StepSketch[]): Skeleton {
  const seconds = (value: number | null | undefined) =>
    value === null || value === undefined ? null : value * 1e9;
  return {
    count: steps.length,
    ids: steps.map((_step, index) => `s${index + 1}`),
    parents: steps.map((step) => step.parent ?? -1),
    kinds: steps.map((step) => STEP_KINDS.indexOf(step.kind ?? 'tool')),
    names: steps.map((step) => step.name ?? step.tool ?? 'step'),
    servers: steps.map((step) => step.server ?? null),
    tools: steps.map((step) => step.tool ?? null),
    summaries: steps.map((step) => step.summary ?? ''),
    startsNs: steps.map((step) => seconds(step.start)),
    durationsNs: steps.map((step) => seconds(step.seconds)),
    evidence: steps.map((step) => EVIDENCE_GRADES.indexOf(step.evidence ?? 'logged')),
    timeEvidence: steps.map((step) => EVIDENCE_GRADES.indexOf(step.evidence ?? 'logged')),
    statuses: steps.map((step) => STEP_STATUSES.indexOf(step.status ?? 'ok')),
    flags: steps.map((step) => step.flags ?? 0),
    tokens: steps.map((step) => step.tokens ?? null),
  };
}
