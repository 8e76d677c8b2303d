import { type KeptPlaces, KeptPlacesSchema } from '@misstep/model';

export function placesText(places: KeptPlaces | null | undefined): string | null {
  return places == null ? null : JSON.stringify(places);
}

/** Null also where a later Misstep has written what this one doesn't know. */
export function readPlaces(text: string | null): KeptPlaces | null {
  if (text === null) return null;
  const read = KeptPlacesSchema.safeParse(JSON.parse(text));
  return read.success ? read.data : null;
}
