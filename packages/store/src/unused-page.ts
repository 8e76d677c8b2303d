import type { UnusedGroup, UnusedRecord, UnusedState } from '@misstep/model';

export interface UnusedFilter {
  readonly state?: UnusedState;
  readonly reason?: string;
}

export interface UnusedPage {
  readonly groups: readonly (UnusedGroup & {
    /** How many of them have a place; more are only counted. */
    listed: number;
  })[];
  /** Groups beyond those that are told, for reasons that differ from record to record. */
  readonly groupsOmitted: number;
  readonly total: number;
  readonly records: readonly UnusedRecord[];
}
