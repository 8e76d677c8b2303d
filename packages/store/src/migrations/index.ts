import { first } from './0001-first.ts';

/** In order; the version after the nth is n. Never edited once released: add the next one. */
export const MIGRATIONS: readonly string[] = [first];

export const SCHEMA_VERSION = MIGRATIONS.length;
