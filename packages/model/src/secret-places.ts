import { z } from 'zod';

/**
 * Where secrets stand in some bytes or in a text, as it was found when they were captured: offset,
 * length and which of the masks goes there. -1 = the place belongs to the one before it, from
 * which something else divides it, and goes without a mask.
 */
export const SecretPlacesSchema = z.object({
  masks: z.array(z.string()),
  places: z.array(
    z.tuple([
      z.number().int().nonnegative(),
      z.number().int().positive(),
      z.number().int().min(-1),
    ]),
  ),
});
export type SecretPlaces = z.infer<typeof SecretPlacesSchema>;

/**
 * What is kept beside a replay or an experiment so that no file of it gives a secret away, also
 * once nobody knows the value any more. It holds no value and no hash of one.
 */
export const KeptPlacesSchema = z.object({
  version: z.literal(1),
  /** Of the frame log, with the size that it had; null = it came to no end. Offsets are bytes. */
  log: SecretPlacesSchema.extend({ sizeBytes: z.number().int().nonnegative() }).nullable(),
  /** Of texts that are kept in the same record, by name. Offsets are UTF-16 units. */
  texts: z.record(z.string(), SecretPlacesSchema),
});
export type KeptPlaces = z.infer<typeof KeptPlacesSchema>;
