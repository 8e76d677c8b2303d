/** Version 2: how a target is spoken to. Targets from before had nothing but their address. */
export const targetSettings = `
ALTER TABLE targets ADD COLUMN settingsJson TEXT NOT NULL DEFAULT
  '{"protocolRevision":"auto","environmentNames":[],"headerNames":[],"usesOAuth":false,"importedFrom":null}';
`;
