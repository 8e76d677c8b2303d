/** Where secrets stand in what is kept of a replay or an experiment; NULL = from before this was noted. */
export const secretPlaces = `
ALTER TABLE replays ADD COLUMN secretPlacesJson TEXT;
ALTER TABLE experiments ADD COLUMN secretPlacesJson TEXT;
`;
