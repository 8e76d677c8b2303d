/**
 * What sources of one format have in common with others: names of sessions, how a session opens. A
 * fork or a resumed session is found by it, whichever file comes first.
 */
export const sourceLinks = `
CREATE TABLE sourceLinks (
  format TEXT NOT NULL, link TEXT NOT NULL, sha256 TEXT NOT NULL,
  PRIMARY KEY (format, link, sha256),
  FOREIGN KEY (sha256, format) REFERENCES sourceReadings ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX sourceLinksOfSource ON sourceLinks (sha256, format);
`;
