/**
 * Folders that are followed, with what was read of their files last; and the hash of a source's first
 * kilobyte, by which a shorter copy of it is recognised. Sources from before have none.
 */
export const followedFolders = `
CREATE TABLE followedFolders (
  key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, path TEXT NOT NULL UNIQUE,
  placeId TEXT, followedAt TEXT NOT NULL
) STRICT;
CREATE TABLE followedFiles (
  folderKey INTEGER NOT NULL REFERENCES followedFolders ON DELETE CASCADE, path TEXT NOT NULL,
  sizeBytes INTEGER NOT NULL, modifiedMs REAL NOT NULL, inode TEXT NOT NULL, runIdsJson TEXT NOT NULL,
  PRIMARY KEY (folderKey, path)
) STRICT, WITHOUT ROWID;
ALTER TABLE sources ADD COLUMN openingSha256 TEXT;
CREATE INDEX sourcesByOpening ON sources (openingSha256) WHERE openingSha256 IS NOT NULL;
`;
