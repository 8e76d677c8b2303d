/** Version 7: judgements that a source itself holds; runs from before have them once read again. */
export const externalMarks = `
ALTER TABLE runs ADD COLUMN externalMarksJson TEXT NOT NULL DEFAULT '[]';
`;
