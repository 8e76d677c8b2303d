import {
  EVIDENCE_GRADES,
  ownAgents,
  type Skeleton,
  STEP_FLAGS,
  STEP_KINDS,
  STEP_STATUSES,
} from '@misstep/model';
import { hasChildren, type TreeShape } from '../call-tree/tree-shape.ts';

export const LANES = ['model', 'tools', 'agents'] as const;

/** How a bar is filled: by grade of its timing, or as a call without an answer. */
export const LANE_FILLS = [...EVIDENCE_GRADES, 'unanswered'] as const;
export type LaneFill = (typeof LANE_FILLS)[number];

/** Which steps stand in which lane and on which track, as columns. */
export interface LanePlan {
  /** Steps that have a time and a lane, in order of their start. */
  readonly steps: Int32Array;
  /** For each of `steps`: index into LANES, track from 0, index into LANE_FILLS. */
  readonly lanes: Uint8Array;
  readonly tracks: Uint8Array;
  readonly fills: Uint8Array;
  /** Tracks of the overlap that each of `steps` is part of; 1 = it overlaps nothing. */
  readonly trackCounts: Uint8Array;
  /** Sub-agents that span steps of their own; drawn as a frame round them. */
  readonly brackets: Int32Array;
  /** Calls that failed, in order of their start. */
  readonly errors: Int32Array;
}

/** More than this many at once share the last track. */
export const MOST_TRACKS = 3;

const AGENT = STEP_KINDS.indexOf('agent');
const CALLS = new Set(
  (['model', 'tool', 'retrieval'] as const).map((kind) => STEP_KINDS.indexOf(kind)),
);
const LANE_OF_KIND = STEP_KINDS.map((kind): number => {
  if (kind === 'model' || kind === 'context') return 0;
  if (kind === 'tool' || kind === 'retrieval' || kind === 'protocol') return 1;
  return kind === 'agent' ? 2 : -1;
});
const UNANSWERED = STEP_STATUSES.indexOf('unanswered');
const FAILED = new Set(
  (['error', 'protocolError', 'unknownTool', 'neverReached'] as const).map((status) =>
    STEP_STATUSES.indexOf(status),
  ),
);

/** Packs every step with a recorded start into the first free track of its lane. */
export function planLanes(skeleton: Skeleton, shape: TreeShape): LanePlan {
  const { count } = skeleton;
  const own = ownAgents({
    count,
    isAgent: (index) => skeleton.kinds[index] === AGENT,
    isCall: (index) => CALLS.has(skeleton.kinds[index] ?? -1),
    parentOf: (index) => shape.parents[index] ?? -1,
  });
  const isSubAgent = (index: number) => skeleton.kinds[index] === AGENT && own[index] !== 1;
  const inAgent = new Uint8Array(count);
  const timed: number[] = [];
  const brackets: number[] = [];
  const errors: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const parent = shape.parents[index] ?? -1;
    if (parent >= 0 && (inAgent[parent] === 1 || isSubAgent(parent))) {
      inAgent[index] = 1;
    }
    if ((skeleton.startsNs[index] ?? null) === null) continue;
    if (FAILED.has(skeleton.statuses[index] ?? -1)) errors.push(index);
    // The agent that is the run itself spans all of it.
    if (own[index] === 1) continue;
    if (isSubAgent(index) && hasChildren(shape, index)) brackets.push(index);
    else if (laneOf(skeleton, inAgent, index) >= 0) timed.push(index);
  }
  const byStart = (a: number, b: number) =>
    (skeleton.startsNs[a] ?? 0) - (skeleton.startsNs[b] ?? 0) || a - b;
  timed.sort(byStart);
  errors.sort(byStart);
  const steps = Int32Array.from(timed);
  const lanes = new Uint8Array(steps.length);
  const tracks = new Uint8Array(steps.length);
  const fills = new Uint8Array(steps.length);
  const freeFromNs = LANES.map(() => new Float64Array(MOST_TRACKS).fill(Number.NEGATIVE_INFINITY));
  const trackCounts = new Uint8Array(steps.length).fill(1);
  const overlaps = LANES.map(() => ({ members: [] as number[], endNs: Number.NEGATIVE_INFINITY }));
  for (let at = 0; at < steps.length; at += 1) {
    const index = steps[at] ?? 0;
    const lane = laneOf(skeleton, inAgent, index);
    const startNs = skeleton.startsNs[index] ?? 0;
    const endNs = startNs + (skeleton.durationsNs[index] ?? 0);
    const free = freeFromNs[lane] ?? new Float64Array(MOST_TRACKS);
    let track = 0;
    while (track < MOST_TRACKS - 1 && (free[track] ?? 0) > startNs) track += 1;
    free[track] = Math.max(free[track] ?? 0, endNs);
    lanes[at] = lane;
    tracks[at] = track;
    fills[at] = fillOf(skeleton, index);
    const overlap = overlaps[lane] ?? { members: [], endNs: 0 };
    if (startNs >= overlap.endNs) overlap.members = [];
    overlap.members.push(at);
    overlap.endNs = Math.max(overlap.endNs, endNs);
    shareTracks(trackCounts, overlap.members, track + 1);
  }
  return {
    steps,
    lanes,
    tracks,
    fills,
    trackCounts,
    brackets: Int32Array.from(brackets),
    errors: Int32Array.from(errors),
  };
}

/** Every member of an overlap is as narrow as the others. */
function shareTracks(trackCounts: Uint8Array, members: readonly number[], count: number): void {
  const first = members[0] ?? 0;
  const shared = Math.max(trackCounts[first] ?? 1, count);
  // Members already told the same number need no second visit, but the newest always does.
  if ((trackCounts[first] ?? 1) === shared) {
    const newest = members.at(-1) ?? first;
    trackCounts[newest] = shared;
    return;
  }
  for (const member of members) trackCounts[member] = shared;
}

function laneOf(skeleton: Skeleton, inAgent: Uint8Array, index: number): number {
  const lane = LANE_OF_KIND[skeleton.kinds[index] ?? -1] ?? -1;
  return lane >= 0 && inAgent[index] === 1 ? 2 : lane;
}

function fillOf(skeleton: Skeleton, index: number): number {
  if (skeleton.statuses[index] === UNANSWERED) return LANE_FILLS.indexOf('unanswered');
  const derived = ((skeleton.flags[index] ?? 0) & STEP_FLAGS.derivedTime) !== 0;
  return derived ? LANE_FILLS.indexOf('derived') : (skeleton.timeEvidence[index] ?? 0);
}
