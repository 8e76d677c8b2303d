import { first } from './0001-first.ts';
import { targetSettings } from './0002-target-settings.ts';
import { setAside } from './0006-set-aside.ts';

/** In order; the version after the nth is n. Never edited once released: add the next one. */
export const MIGRATIONS: readonly string[] = [first, targetSettings, setAside];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** `MSTP`: marks the file as ours, so that another program's database is never migrated. */
export const APPLICATION_ID = 0x4d535450;
