/** Version 1. Text in free columns follows stored-text.ts; STRICT refuses wrongly typed values. */
export const first = `
CREATE TABLE sources (
  sha256 TEXT PRIMARY KEY, name TEXT NOT NULL, sizeBytes INTEGER NOT NULL, importedAt TEXT NOT NULL,
  headBytes INTEGER NOT NULL, headSha256 TEXT NOT NULL
) STRICT;
CREATE INDEX sourcesByHead ON sources (headBytes, headSha256);
CREATE TABLE sourceClaims (
  key INTEGER PRIMARY KEY, sha256 TEXT NOT NULL REFERENCES sources ON DELETE CASCADE, process TEXT NOT NULL
) STRICT;
CREATE INDEX sourceClaimsOfSource ON sourceClaims (sha256);
CREATE TABLE sourceReadings (
  sha256 TEXT NOT NULL REFERENCES sources ON DELETE CASCADE, format TEXT NOT NULL,
  formatRevision INTEGER NOT NULL, lineage TEXT NOT NULL,
  recordsTotal INTEGER NOT NULL, recordsUnderstood INTEGER NOT NULL,
  recordsNotUnderstood INTEGER NOT NULL, recordsMalformed INTEGER NOT NULL,
  PRIMARY KEY (sha256, format)
) STRICT;
CREATE TABLE unreadRecords (
  sha256 TEXT NOT NULL, format TEXT NOT NULL, ordinal INTEGER NOT NULL,
  offset INTEGER NOT NULL, length INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT NOT NULL,
  PRIMARY KEY (sha256, format, ordinal),
  FOREIGN KEY (sha256, format) REFERENCES sourceReadings ON DELETE CASCADE
) STRICT;
CREATE TABLE importIssues (
  sha256 TEXT NOT NULL, format TEXT NOT NULL, ordinal INTEGER NOT NULL,
  code TEXT NOT NULL, message TEXT NOT NULL, offset INTEGER,
  PRIMARY KEY (sha256, format, ordinal),
  FOREIGN KEY (sha256, format) REFERENCES sourceReadings ON DELETE CASCADE
) STRICT;
CREATE TABLE runs (
  key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
  format TEXT NOT NULL, formatRevision INTEGER NOT NULL,
  title TEXT NOT NULL, titleIsRenamed INTEGER NOT NULL,
  client TEXT, model TEXT, naturalId TEXT, clock TEXT NOT NULL,
  startedAtNs INTEGER, endedAtNs INTEGER, startedAtDigits TEXT, endedAtDigits TEXT,
  startedAtText TEXT,
  stepCount INTEGER NOT NULL, toolCallCount INTEGER NOT NULL, modelCallCount INTEGER NOT NULL,
  errorCount INTEGER NOT NULL, inputTokens INTEGER, outputTokens INTEGER,
  bestEvidence TEXT NOT NULL, evidenceCountsJson TEXT NOT NULL, calledToolsJson TEXT NOT NULL,
  unreadCount INTEGER NOT NULL, frameCount INTEGER NOT NULL,
  tagsJson TEXT NOT NULL, outcomeJson TEXT,
  importedAt TEXT NOT NULL, listedAtNs INTEGER NOT NULL, reading INTEGER NOT NULL
) STRICT;
CREATE INDEX runsListed ON runs (listedAtNs DESC, key DESC);
CREATE INDEX runsNatural ON runs (format, naturalId);
CREATE TABLE runSources (
  runKey INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, ordinal INTEGER NOT NULL,
  sha256 TEXT NOT NULL REFERENCES sources, role TEXT NOT NULL, part TEXT,
  PRIMARY KEY (runKey, ordinal)
) STRICT;
CREATE INDEX runSourcesOfSource ON runSources (sha256);
CREATE TABLE steps (
  runKey INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, seq INTEGER NOT NULL,
  id TEXT NOT NULL, parentId TEXT, kind TEXT NOT NULL, status TEXT NOT NULL,
  name TEXT NOT NULL, server TEXT, tool TEXT, summary TEXT NOT NULL,
  startedAtNs INTEGER, endedAtNs INTEGER, evidence TEXT NOT NULL, timeEvidence TEXT NOT NULL,
  detailsJson TEXT NOT NULL,
  PRIMARY KEY (runKey, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX stepsById ON steps (runKey, id);
CREATE TABLE frames (
  runKey INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, ordinal INTEGER NOT NULL,
  stepId TEXT, frameJson TEXT NOT NULL,
  PRIMARY KEY (runKey, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX framesOfStep ON frames (runKey, stepId, ordinal);
CREATE TABLE tools (
  runKey INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, ordinal INTEGER NOT NULL,
  toolJson TEXT NOT NULL,
  PRIMARY KEY (runKey, ordinal)
) STRICT;
CREATE TABLE marks (
  key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
  runKey INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  place TEXT NOT NULL, stepId TEXT, category TEXT, reason TEXT NOT NULL, citationsJson TEXT NOT NULL,
  author TEXT NOT NULL, createdAt TEXT NOT NULL, supersededAt TEXT
) STRICT;
CREATE INDEX marksOfRun ON marks (runKey, key);
CREATE UNIQUE INDEX currentMark ON marks (runKey) WHERE supersededAt IS NULL;
CREATE TABLE targets (
  name TEXT PRIMARY KEY, addressJson TEXT NOT NULL, confirmedAddressJson TEXT, confirmedAt TEXT,
  trustsReadOnlyHint INTEGER NOT NULL, createdAt TEXT NOT NULL
) STRICT;
CREATE TABLE replays (
  key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
  runKey INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  stepId TEXT NOT NULL, stepSeq INTEGER NOT NULL, targetName TEXT NOT NULL, tool TEXT NOT NULL,
  argumentsText TEXT NOT NULL, idempotencyKey TEXT NOT NULL UNIQUE, transport TEXT NOT NULL,
  startedAt TEXT NOT NULL, process TEXT NOT NULL,
  outcome TEXT, outcomeSentence TEXT, receiptText TEXT, comparisonJson TEXT
) STRICT;
CREATE INDEX replaysOfStep ON replays (runKey, stepId, key);
CREATE INDEX runningReplays ON replays (process) WHERE outcome IS NULL;
CREATE TABLE doomedFiles (path TEXT PRIMARY KEY) STRICT;
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
`;
