/**
 * Version 6: records that are known and set aside are an account of their own. Readings from before
 * counted them as understood, which NULL says; reading the source again tells them apart.
 */
export const setAside = `
ALTER TABLE unreadRecords RENAME TO unusedRecords;
ALTER TABLE sourceReadings ADD COLUMN recordsSetAside INTEGER;
ALTER TABLE sourceReadings ADD COLUMN unlistedJson TEXT NOT NULL DEFAULT '[]';
`;
