/** What stands in the step panel's place. */
export type RunAside = 'records' | 'audit' | 'notes' | 'externalMarks' | null;
