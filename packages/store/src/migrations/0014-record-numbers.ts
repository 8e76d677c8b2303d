/**
 * Numbers of the records of sources whose copies may stand in others: a fork that begins anywhere in
 * its original is found by them, whichever file comes first. A reading has a short key of its own, since
 * a long session holds hundreds of thousands of records.
 */
export const recordNumbers = `
CREATE TABLE numberedReadings (
  key INTEGER PRIMARY KEY, format TEXT NOT NULL, sha256 TEXT NOT NULL, UNIQUE (sha256, format),
  FOREIGN KEY (sha256, format) REFERENCES sourceReadings ON DELETE CASCADE
) STRICT;
CREATE TABLE recordNumbers (
  number INTEGER NOT NULL, readingKey INTEGER NOT NULL REFERENCES numberedReadings ON DELETE CASCADE,
  PRIMARY KEY (number, readingKey)
) STRICT, WITHOUT ROWID;
CREATE INDEX recordNumbersOfReading ON recordNumbers (readingKey);
`;
