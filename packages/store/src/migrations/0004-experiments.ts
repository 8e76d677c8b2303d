/** Experiments, each call of theirs as it happened, and how long a call's arguments were prepared. */
export const experiments = `
CREATE TABLE experiments (
  key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
  runKey INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  kind TEXT NOT NULL, stepId TEXT NOT NULL, stepSeq INTEGER NOT NULL,
  targetName TEXT NOT NULL, tool TEXT NOT NULL, planJson TEXT NOT NULL, confirmedTool TEXT,
  idempotencyKey TEXT NOT NULL UNIQUE, startedAt TEXT NOT NULL, process TEXT NOT NULL,
  ending TEXT, reason TEXT, endedAt TEXT, matrixJson TEXT NOT NULL
) STRICT;
CREATE INDEX experimentsOfRun ON experiments (runKey, key);
CREATE INDEX runningExperiments ON experiments (process) WHERE ending IS NULL;
CREATE TABLE experimentSends (
  experimentKey INTEGER NOT NULL REFERENCES experiments ON DELETE CASCADE, ordinal INTEGER NOT NULL,
  plannedId TEXT NOT NULL, label TEXT NOT NULL, replayId TEXT, outcome TEXT NOT NULL,
  callDurationNs INTEGER, server TEXT, toolSha256 TEXT,
  PRIMARY KEY (experimentKey, ordinal)
) STRICT, WITHOUT ROWID;
ALTER TABLE replays ADD COLUMN experimentId TEXT;
ALTER TABLE replays ADD COLUMN preparedMs INTEGER;
ALTER TABLE replays ADD COLUMN preparedFrom TEXT;
CREATE INDEX replaysOfExperiment ON replays (experimentId) WHERE experimentId IS NOT NULL;
`;
